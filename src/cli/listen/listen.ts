import { generateSecret, isSecret } from '../../core/webhooks/secret.js';
import { UsageError } from '../usage-error.js';
import { follow, type StreamedEvent } from './follow.js';
import { forward } from './forward.js';

export interface ListenOptions {
  readonly url: string;
  readonly key: string | undefined;
  readonly events: string | undefined;
  readonly forwardTo: string | undefined;
  readonly secret: string | undefined;
}

/** Prints events as they happen, and forwards them to a server on the developer's machine. Ends on a signal. */
export async function listen(options: ListenOptions): Promise<number> {
  const { url, key, forwardTo, events = '*' } = options;
  if (key === undefined)
    throw new UsageError('The API key is missing: set TRUNKLINE_API_KEY or give --key-file.');
  assertAddress('--url', url);
  if (forwardTo !== undefined) assertAddress('--forward-to', forwardTo);
  const secret = options.secret ?? generateSecret();
  if (!isSecret(secret))
    throw new UsageError('The signing secret must be whsec_ and base64 of 24 to 64 bytes.');
  if (forwardTo !== undefined) {
    print(`Forwarding to ${forwardTo}`);
    print(`Signing secret: ${secret}`);
  }
  const take = async (event: StreamedEvent) => print(await line(event, forwardTo, secret));
  await follow({ url: url.replace(/\/$/, ''), key, events, signal: interrupted(), tell: say, take });
  return 0;
}

async function line({ id, name, payload }: StreamedEvent, forwardTo: string | undefined, secret: string) {
  const head = `${new Date().toISOString()}  ${name}`;
  if (id === undefined) return `${head}  ${payload}`;
  if (forwardTo === undefined) return `${head}  ${id}  ${payload}`;
  const { outcome, durationMs } = await forward(forwardTo, secret, id, payload);
  return `${head}  ${id}  → ${outcome} (${durationMs} ms)`;
}

function assertAddress(name: string, text: string): void {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return;
  throw new UsageError(`${name} must be an address such as http://localhost:3000/webhooks.`);
}

function interrupted(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes to standard error, because standard output has the events and may go to a file. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
