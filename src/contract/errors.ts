import { askedWaitMs } from './asked-wait.js';
import type { RemoteChatId } from './ids.js';

/**
 * Whether the remote write may have happened when the error was raised. Only `no` may be retried blindly;
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
/** Why a platform refuses one message or recipient for good. Equals the permanent delivery error codes of the API. */
export type RejectionReason = (typeof rejectionReasons)[number];

export type PlatformProblem =
  /** The platform requests a wait, and `scope` says what it applies to. Always `dispatched: 'no'`. */
  | {
      readonly kind: 'rate_limited';
      readonly retryAfterMs: number;
      readonly scope: 'account' | 'chat' | 'method';
    }
  /** Timeout, connection failure or a 5xx answer. */
  | { readonly kind: 'unavailable'; readonly cause: 'network' | 'platform_down' }
  /** This message will never be accepted. */
  | { readonly kind: 'rejected'; readonly reason: RejectionReason }
  /** The credentials are dead: the connection stops until they change. */
  | { readonly kind: 'unauthorized' }
  /** Credentials are fine but the account or the connection is set up wrongly (missing intent, second poller …). */
  | { readonly kind: 'misconfigured' }
  /** The chat has a new address; the same write to it will work. `renumbered`: see `ChatMoved`. */
  | { readonly kind: 'moved'; readonly toChatId: RemoteChatId; readonly renumbered?: boolean };

export interface PlatformErrorOptions {
  readonly dispatched: Dispatched;
  /** One sentence for a person: what happened. Never holds a token or message text. */
  readonly message: string;
  /** What the person can do about it. */
  readonly fix?: string;
  /** The platform's own code or text, kept raw. */
  readonly code?: string;
  readonly cause?: unknown;
}

/** The only error an adapter may raise on purpose. Anything else counts as a defect of the adapter. */
export class PlatformError extends Error {
  readonly problem: PlatformProblem;
  readonly dispatched: Dispatched;
  readonly fix: string | undefined;
  readonly code: string | undefined;

  constructor(problem: PlatformProblem, options: PlatformErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = 'PlatformError';
    this.problem = sensible(problem);
    this.dispatched = options.dispatched;
    this.fix = options.fix;
    this.code = options.code;
  }
}

/** A wait within the range of a timer, for the bridge and for adapters. */
function sensible(problem: PlatformProblem): PlatformProblem {
  if (problem.kind !== 'rate_limited') return problem;
  return { ...problem, retryAfterMs: askedWaitMs(problem.retryAfterMs) };
}
