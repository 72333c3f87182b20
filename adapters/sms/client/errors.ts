import { type Dispatched, PlatformError, type RejectionReason } from '../../../src/contract/index.js';
import { type ErrorEntry, errorCodes, misconfigured, rejected, wait } from './error-codes.js';

/** An error response of the API. */
export interface RefusedAnswer {
  readonly status: number;
  readonly code?: number;
  /** From the Retry-After header, if it is present. */
  readonly retryAfterMs?: number;
}

/** Maps an error response to a PlatformError. A status below 500 means that nothing was written. */
export function answerError({ status, code, retryAfterMs }: RefusedAnswer): PlatformError {
  const entry = (code === undefined ? undefined : errorCodes[code]) ?? byStatus(status);
  const problem =
    entry.problem.kind === 'rate_limited' && retryAfterMs !== undefined ? wait(retryAfterMs) : entry.problem;
  return new PlatformError(problem, {
    dispatched: problem.kind === 'unavailable' ? 'unknown' : 'no',
    message: entry.message,
    ...(entry.fix === undefined ? {} : { fix: entry.fix }),
    code: code === undefined ? `http_${status}` : String(code),
  });
}

function byStatus(status: number): ErrorEntry {
  // A proxy timeout does not say whether the server behind it executed the request.
  if (status >= 500 || status === 408) {
    return {
      problem: { kind: 'unavailable', cause: 'platform_down' },
      message: `Twilio answered with status ${status}.`,
    };
  }
  if (status === 429) return errorCodes[20429] as ErrorEntry;
  if (status === 401) return errorCodes[20003] as ErrorEntry;
  if (status === 404 || status < 400) {
    return {
      problem: misconfigured,
      message: `The server at api_base_url answered with status ${status}.`,
      fix: 'Check account_sid and api_base_url.',
    };
  }
  return {
    problem: rejected('platform_error'),
    message: `Twilio refused the request with status ${status}.`,
  };
}

/** Errors before a connection was established. The request cannot have been sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Maps the failure of a request without a response. */
export function transportError(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const code = causeCode(cause);
  const dispatched: Dispatched = code !== undefined && neverSent.has(code) ? 'no' : 'unknown';
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    {
      dispatched,
      message:
        dispatched === 'no'
          ? 'Twilio could not be reached.'
          : 'The connection to Twilio broke before its answer.',
      ...(code === undefined ? {} : { code }),
      cause,
    },
  );
}

/** fetch wraps the socket error once, and once more if every address of a host failed. */
function causeCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current instanceof AggregateError ? (current.errors[0] as unknown) : current.cause;
  }
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    ? error.name
    : undefined;
}

/** The error of a successful response that cannot be parsed. The message may exist. */
export function unreadableAnswer(cause?: unknown): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    {
      dispatched: 'unknown',
      message: 'The server at api_base_url gave an answer that is not from Twilio.',
      fix: 'Check api_base_url.',
      cause,
    },
  );
}

/** The error of a request that the bridge did not start because it stopped. */
export function notStarted(): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched: 'no', message: 'The bridge is stopping; nothing was sent.' },
  );
}

/** The error of an operation that text messages do not support. */
export function unsupported(what: string): PlatformError {
  return new PlatformError(rejected('unsupported'), {
    dispatched: 'no',
    message: `Text messages can't do this: ${what}.`,
  });
}

/** The failure that a status callback reports. */
export function deliveryFailure(code: number | undefined): {
  readonly reason: RejectionReason;
  readonly code?: string;
  readonly message: string;
} {
  const entry = code === undefined ? undefined : errorCodes[code];
  return {
    reason: entry?.problem.kind === 'rejected' ? entry.problem.reason : 'platform_error',
    ...(code === undefined ? {} : { code: String(code) }),
    message: entry?.message ?? 'Twilio could not deliver the message.',
  };
}
