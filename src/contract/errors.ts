import { askedWaitMs } from './asked-wait.js';
import type { RemoteChatId } from './ids.js';

/**
 * Whether the remote write may have happened when the error was raised. Only `no` allows a retry without a lookup.
 * `unknown` makes the delivery uncertain.
 */
export type Dispatched = 'no' | 'yes' | 'unknown';

export const rejectionReasons = [
  'recipient_gone',
  'blocked_by_recipient',
  'opted_out',
  'content_rejected',
  'too_long',
  'too_large',
  'unsupported',
  'forbidden',
  'media_unavailable',
  'edit_expired',
  'platform_error',
] as const;
/** Why a platform permanently refuses a message or a recipient. These are permanent delivery error codes of the API. */
export type RejectionReason = (typeof rejectionReasons)[number];

export type PlatformProblem =
  /** The platform requests a wait for everything in `scope`. Always `dispatched: 'no'`. */
  | {
      readonly kind: 'rate_limited';
      readonly retryAfterMs: number;
      readonly scope: 'account' | 'chat' | 'method';
    }
  /** A timeout, a connection failure or a 5xx response. */
  | { readonly kind: 'unavailable'; readonly cause: 'network' | 'platform_down' }
  /** The platform will never accept this message. */
  | { readonly kind: 'rejected'; readonly reason: RejectionReason }
  /** The credentials are invalid. The connection stops until they change. */
  | { readonly kind: 'unauthorized' }
  /** The credentials are valid, but the account or the connection is misconfigured: a missing intent, a second poller. */
  | { readonly kind: 'misconfigured' }
  /** The chat has a new id. The same write to the new id will work. `renumbered`: see `ChatMoved`. */
  | { readonly kind: 'moved'; readonly toChatId: RemoteChatId; readonly renumbered?: boolean };

export interface PlatformErrorOptions {
  readonly dispatched: Dispatched;
  /** One sentence that tells a person what happened. It never contains a token or the text of a message. */
  readonly message: string;
  /** How the person can fix it. */
  readonly fix?: string;
  /** The code or text of the platform, unchanged. */
  readonly code?: string;
  readonly cause?: unknown;
}

/** The only error that an adapter may raise. Any other error is treated as a defect of the adapter. */
export class PlatformError extends Error {
  readonly problem: PlatformProblem;
  readonly dispatched: Dispatched;
  readonly fix: string | undefined;
  readonly code: string | undefined;

  constructor(problem: PlatformProblem, options: PlatformErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = 'PlatformError';
    this.problem = bounded(problem);
    this.dispatched = options.dispatched;
    this.fix = options.fix;
    this.code = options.code;
  }
}

/** Bounds the requested wait, so that every reader of a PlatformError can pass it to a timer. */
function bounded(problem: PlatformProblem): PlatformProblem {
  if (problem.kind !== 'rate_limited') return problem;
  return { ...problem, retryAfterMs: askedWaitMs(problem.retryAfterMs) };
}
