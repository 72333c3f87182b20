import { hostname } from 'node:os';
import { type DestinationStream, pino } from 'pino';
import type { Log } from '../core/common/log.js';

/** Names of fields that contain secrets. Their values are masked at any depth. */
const SECRET =
  /^(?:credentials?|password|.*secret|.*token|authorization|cookie|set-cookie|x-api-key|(?:.*_)?(?:api|master|private)_?key|(?:.*[-_])?signature)$/i;
/**
 * Secrets in text, such as the message of an error: our keys, tokens and links, secrets of webhooks, and tokens in URLs and
 * headers.
 */
const SECRETS_IN_TEXT = [
  [/\b(tl_(?:live|test|at|rt|ac|ss|in|cs)_)[0-9A-Za-z]+/g, '$1***'],
  [/(\/(?:media|join)\/)[0-9A-Za-z_-]{40,}/g, '$1***'],
  [/\b(whsec_)[0-9A-Za-z+/=_-]+/g, '$1***'],
  [/\b(bot\d+(?::|%3A|%3a))[0-9A-Za-z_-]+/g, '$1***'],
  [/\b(xox[a-z]-|xapp-)[0-9A-Za-z-]+/g, '$1***'],
  [/\b((?:Bearer|Basic|Bot) )[0-9A-Za-z._~+/=-]{8,}/g, '$1***'],
  [/(:\/\/[^/\s:@]*:)[^@\s/]+(?=@)/g, '$1***'],
  // The URL of a Discord webhook contains its secret.
  [/(\/webhooks\/\d+\/)[0-9A-Za-z_-]{20,}/g, '$1***'],
  [/([?&](?:[a-z_]*token|password|[a-z_]*secret|api_?key|ticket|signature|sig|code)=)[^&#\s"']+/gi, '$1***'],
  // A Discord token consists of the user id in base64, a timestamp and a signature.
  [/(?<![0-9A-Za-z_-])([MNO][0-9A-Za-z_-]{22,27}\.)[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,}/g, '$1***'],
] as const;
/** A quick check before the replacements. Most texts are ids and names, and do not match. */
const SUSPICIOUS =
  /tl_|\/media\/|\/join\/|whsec_|bot\d|xox|xapp|Bearer |Basic |Bot |:\/\/|\/webhooks\/|[?&]\w+=|\.[\w-]{6}\./;
/** Size of the cache for field names. Log lines use the same names repeatedly. */
const MAX_NAMES = 1_000;
const secretNames = new Map<string, boolean>();
const MAX_DEPTH = 6;
const CENSORED = '***';

/** Appends log lines to a file that only its owner can read. */
export function toFile(path: string): DestinationStream {
  return oneAtATime(pino.destination({ dest: path, append: true, mkdir: true, mode: 0o600 }));
}

/** Writes JSON lines, by default to stdout. Each line contains the process id, the host and the roles of the service. */
export function createLog(
  level: 'debug' | 'info' | 'warn' | 'error',
  destination: DestinationStream = oneAtATime(pino.destination()),
  role?: string,
): Log {
  const options = {
    level,
    base: { pid: process.pid, host: hostname(), ...(role !== undefined && { role }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => clean(fields, 0) as Record<string, unknown>,
    },
    // Other fields of an error are not logged, such as requests with their headers and rows with their values.
    serializers: { err: (error: unknown) => error },
  };
  return pino(options, destination);
}

/**
 * Writes the lines of one turn of the event loop together, because one write per line costs more than the work that it logs.
 * The remaining lines are written when the process ends.
 */
export function oneAtATime(target: DestinationStream): DestinationStream {
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    const pending = lines;
    lines = '';
    target.write(pending);
  };
  process.once('exit', flush);
  return {
    write(line: string) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error) return describe(value, depth);
  if (Array.isArray(value)) return value.map((each) => clean(each, depth + 1));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]) => [
      name,
      isSecret(name) && each !== undefined ? CENSORED : clean(each, depth + 1),
    ]),
  );
}

function isSecret(name: string): boolean {
  let secret = secretNames.get(name);
  if (secret === undefined) {
    secret = SECRET.test(name);
    if (secretNames.size < MAX_NAMES) secretNames.set(name, secret);
  }
  return secret;
}

/** The fields of an error that are logged. */
function describe(error: Error & { readonly code?: unknown }, depth: number): object {
  const { name, message, stack, code, cause } = error;
  return {
    type: name,
    message: withoutSecrets(message),
    stack: withoutSecrets(stack ?? ''),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(cause === undefined ? {} : { cause: clean(cause, depth + 1) }),
  };
}

function withoutSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return SECRETS_IN_TEXT.reduce((cleaned, [pattern, kept]) => cleaned.replace(pattern, kept), text);
}
