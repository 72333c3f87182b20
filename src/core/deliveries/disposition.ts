import { PlatformError, type PlatformProblem } from '../../contract/index.js';
import type { DeliveryErrorCode, DeliveryErrorRecord } from '../adapters/delivery-error.js';
import { AdapterDefect } from '../adapters/hook-runner.js';
import type { UncertainPolicy } from '../platforms/uncertain-policy.js';
import { RECONCILE_WAIT_MS, retryWaitMs } from './retry-schedule.js';
import { StillUnanswered } from './send/create-knowledge.js';

/** How a failed attempt is handled. */
export type Disposition =
  /** Try again. The attempt counts. */
  | { readonly action: 'retry'; readonly waitMs: number; readonly error: DeliveryErrorRecord }
  /** Try again. The attempt does not count, because the platform or the connection requested the wait. */
  | {
      readonly action: 'wait';
      readonly waitMs: number | null;
      readonly scope: 'account' | 'chat';
      readonly error: DeliveryErrorRecord;
    }
  /** Do not try again. */
  | { readonly action: 'fail'; readonly error: DeliveryErrorRecord }
  | { readonly action: 'block'; readonly error: DeliveryErrorRecord }
  /** The write may have happened. If `askAfterMs` is null, an operator or a receipt resolves it. */
  | { readonly action: 'uncertain'; readonly askAfterMs: number | null; readonly error: DeliveryErrorRecord };

export interface Circumstances {
  readonly attemptCount: number;
  readonly policy: UncertainPolicy;
  /** Edits and deletions can be repeated safely; creates cannot. */
  readonly repeatable: boolean;
  /** A random number in [0, 1). */
  readonly random: number;
}

/** Maps every error to the handling of its delivery. This is the only such mapping. Pure. */
export function dispose(cause: unknown, at: Circumstances): Disposition {
  if (cause instanceof StillUnanswered) return lookupLater(cause);
  if (!(cause instanceof PlatformError)) return defect(cause, at);
  const { problem } = cause;
  switch (problem.kind) {
    case 'rate_limited':
      return {
        action: 'wait',
        waitMs: problem.retryAfterMs,
        scope: problem.scope === 'chat' ? 'chat' : 'account',
        error: describe(cause, 'rate_limited', false),
      };
    case 'moved':
      return retried(describe(cause, 'recipient_gone', false), at);
    case 'unauthorized':
    case 'misconfigured':
      return { action: 'wait', waitMs: null, scope: 'account', error: describe(cause, 'auth_revoked', true) };
    case 'rejected':
      return rejected(cause, problem);
    case 'unavailable':
      return outage(cause, problem.cause === 'network' ? 'network' : 'platform_down', at);
  }
}

function rejected(cause: PlatformError, problem: PlatformProblem & { kind: 'rejected' }): Disposition {
  const error = describe(cause, problem.reason, true);
  const blocked = problem.reason === 'blocked_by_recipient' || problem.reason === 'opted_out';
  return { action: blocked ? 'block' : 'fail', error };
}

function outage(cause: PlatformError, code: DeliveryErrorCode, at: Circumstances): Disposition {
  if (cause.dispatched !== 'no' && !at.repeatable) return uncertain(describe(cause, code, false), at);
  return retried(describe(cause, code, false), at);
}

/** Retries while attempts are left. */
function retried(error: DeliveryErrorRecord, at: Circumstances): Disposition {
  const waitMs = retryWaitMs(at.attemptCount, at.random);
  return waitMs === undefined ? { action: 'fail', error } : { action: 'retry', waitMs, error };
}

function lookupLater({ waitMs, message }: StillUnanswered): Disposition {
  const error = { code: 'network' as const, message, permanent: false, platform_code: null };
  return { action: 'wait', waitMs, scope: 'chat', error };
}

/** An adapter that throws another error is defective. It may have written before it failed. */
function defect(cause: unknown, at: Circumstances): Disposition {
  const error: DeliveryErrorRecord = {
    code: 'provider_error',
    message: cause instanceof AdapterDefect ? cause.message : 'The adapter failed unexpectedly.',
    permanent: true,
    platform_code: null,
  };
  return at.repeatable ? { action: 'fail', error } : uncertain(error, at);
}

function uncertain(error: DeliveryErrorRecord, at: Circumstances): Disposition {
  return { action: 'uncertain', askAfterMs: at.policy === 'hold' ? null : RECONCILE_WAIT_MS, error };
}

function describe(cause: PlatformError, code: DeliveryErrorCode, permanent: boolean): DeliveryErrorRecord {
  return { code, message: cause.message, permanent, platform_code: cause.code ?? null };
}
