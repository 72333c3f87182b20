import { buffer } from 'node:stream/consumers';
import { isSecret } from '../core/webhooks/secret.js';
import { verifySignature } from '../core/webhooks/signature.js';
import { UsageError } from './usage-error.js';

export interface VerifyOptions {
  readonly secret: string | undefined;
  /** Each has the form `Name: value`. */
  readonly headers: readonly string[];
  readonly tolerance: string | undefined;
}

const schemes = [
  { name: 'X-Service-Signature', headers: ['x-service-signature'] },
  { name: 'Standard Webhooks', headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature'] },
] as const;
const defaultToleranceSeconds = 300;

/** Verifies the signatures of a request whose body is on standard input. Exit code 0 if every signature scheme is valid. */
export async function verifyWebhook(options: VerifyOptions): Promise<number> {
  const { secret } = options;
  if (secret === undefined)
    throw new UsageError('The secret is missing: set TRUNKLINE_WEBHOOK_SECRET or give --secret-file.');
  if (!isSecret(secret)) throw new UsageError('The secret must be whsec_ and base64 of 24 to 64 bytes.');
  const toleranceSeconds = toleranceOf(options.tolerance);
  const received = new Map(options.headers.map(readHeader));
  const present = schemes.filter(({ headers }) => headers.every((name) => received.has(name)));
  if (present.length === 0) {
    throw new UsageError(
      'Give the headers of a signature: X-Service-Signature, or webhook-id, webhook-timestamp and webhook-signature.',
    );
  }
  const body = await buffer(process.stdin);
  const verdicts = present.map(({ name, headers }) => {
    const own = Object.fromEntries(headers.map((header) => [header, received.get(header)]));
    const check = (seconds: number) => verifySignature(body, own, secret, { toleranceSeconds: seconds });
    const verdict = check(toleranceSeconds)
      ? 'valid'
      : check(Infinity)
        ? 'too old, or from the future'
        : 'wrong';
    process.stdout.write(`${name}: ${verdict}\n`);
    return verdict;
  });
  return verdicts.every((verdict) => verdict === 'valid') ? 0 : 1;
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError(`--header must be of the form "Name: value", not "${text}".`);
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
}

function toleranceOf(text: string | undefined): number {
  if (text === undefined) return defaultToleranceSeconds;
  if (!/^\d{1,12}$/.test(text)) throw new UsageError('--tolerance must be a whole number of seconds.');
  return Number(text);
}
