import { hostname } from 'node:os';
import { type DestinationStream, pino } from 'pino';
import type { Log } from '../core/common/log.js';

/** Secrets have no business in a log line; should one get there by name, it is taken out, however deep it lies. */
const SECRET =
  /^(?:credentials?|password|.*secret|.*token|authorization|cookie|set-cookie|x-api-key|(?:.*_)?(?:api|master|private)_?key|(?:.*[-_])?signature)$/i;
/** And should one stand in the text of an error: keys, tokens and links of ours, secrets of webhooks, tokens in addresses and headers. */
const SECRETS_IN_TEXT = [
  [/\b(tl_(?:live|test|at|rt|ac|ss|in|cs)_)[0-9A-Za-z]+/g, '$1***'],
  [/(\/(?:media|join)\/)[0-9A-Za-z_-]{40,}/g, '$1***'],
  [/\b(whsec_)[0-9A-Za-z+/=_-]+/g, '$1***'],
  [/\b(bot\d+(?::|%3A|%3a))[0-9A-Za-z_-]+/g, '$1***'],
  [/\b(xox[a-z]-|xapp-)[0-9A-Za-z-]+/g, '$1***'],
  [/\b((?:Bearer|Basic|Bot) )[0-9A-Za-z._~+/=-]{8,}/g, '$1***'],
  [/(:\/\/[^/\s:@]*:)[^@\s/]+(?=@)/g, '$1***'],
  // The address of a Discord webhook is its key.
  [/(\/webhooks\/\d+\/)[0-9A-Za-z_-]{20,}/g, '$1***'],
  [/([?&](?:[a-z_]*token|password|[a-z_]*secret|api_?key|ticket|signature|sig|code)=)[^&#\s"']+/gi, '$1***'],
  // A token of Discord: who in base64, when, and the proof.
  [/(?<![0-9A-Za-z_-])([MNO][0-9A-Za-z_-]{22,27}\.)[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,}/g, '$1***'],
] as const;
/** Most texts are ids and names, which one look lets pass. */
const SUSPICIOUS =
  /tl_|\/media\/|\/join\/|whsec_|bot\d|xox|xapp|Bearer |Basic |Bot |:\/\/|\/webhooks\/|[?&]\w+=|\.[\w-]{6}\./;
/** Lines have the same names over and over. */
const NAMES_AT_MOST = 1_000;
const judgedNames = new Map<string, boolean>();
const DEEPEST = 6;
const CENSORED = '***';

/** Lines at the end of a file, which only its owner reads. */
export function toFile(path: string): DestinationStream {
  return turnByTurn(pino.destination({ dest: path, append: true, mkdir: true, mode: 0o600 }));
}

/** JSON lines on stdout. Each names its process and machine, and the roles of a service. */
export function createLog(
  level: 'debug' | 'info' | 'warn' | 'error',
  destination: DestinationStream = turnByTurn(pino.destination()),
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
    // Other fields of an error (requests with their headers, rows with their values) stay out of the log.
    serializers: { err: (error: unknown) => error },
  };
  return pino(options, destination);
}

/**
 * Writes the lines of one turn of the event loop together: a write for each line costs more than the work that it logs. The rest
 * is written when the process ends.
 */
export function turnByTurn(target: DestinationStream): DestinationStream {
  let lines = '';
  const flush = () => {
    if (lines === '') return;
    const said = lines;
    lines = '';
    target.write(said);
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
  if (depth >= DEEPEST) return '…';
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
  let secret = judgedNames.get(name);
  if (secret === undefined) {
    secret = SECRET.test(name);
    if (judgedNames.size < NAMES_AT_MOST) judgedNames.set(name, secret);
  }
  return secret;
}

/** The parts of an error that say what happened. */
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
