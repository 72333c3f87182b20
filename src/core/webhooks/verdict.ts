import type { OutgoingProblem } from '../common/outgoing.js';
import { testEvent } from './catalogue.js';
import { askedWaitMs, delayBeforeNextTry } from './schedule.js';

/** The result of one attempt: a response, or none. */
export type TryOutcome =
  | {
      readonly status: number;
      readonly retryAfter?: string | undefined;
      readonly excerpt?: string | undefined;
    }
  | { readonly problem: OutgoingProblem };

/** One entry of a delivery's `attempts`. */
export interface WebhookAttempt {
  readonly at: string;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly error: OutgoingProblem | 'http_status' | null;
}

/** The effect of an attempt on the delivery and its endpoint. */
export interface Verdict {
  readonly status: 'succeeded' | 'pending' | 'dead';
  /** Set for `pending`. */
  readonly retryInMs?: number;
  /** The receiver reported that it is gone for good, so the endpoint is disabled. */
  readonly gone: boolean;
}

export interface TryContext {
  readonly event: string;
  /** Number of attempts, including this one. */
  readonly tries: number;
  readonly now: Date;
  /** In [0, 1). */
  readonly random: number;
}

const goneStatus = 410;

/** Decides about a delivery after an attempt. Pure. */
export function verdictOf(outcome: TryOutcome, context: TryContext): Verdict {
  if ('status' in outcome && isSuccess(outcome.status)) return { status: 'succeeded', gone: false };
  const gone = 'status' in outcome && outcome.status === goneStatus;
  if (gone || context.event === testEvent) return { status: 'dead', gone };
  const asked = 'status' in outcome ? askedWaitMs(outcome.status, outcome.retryAfter, context.now) : 0;
  const retryInMs = delayBeforeNextTry(context.tries, asked, context.random);
  return retryInMs === undefined ? { status: 'dead', gone } : { status: 'pending', retryInMs, gone };
}

/** The attempt in the form of the API. */
export function toAttempt(outcome: TryOutcome, startedAt: Date, durationMs: number): WebhookAttempt {
  const times = { at: startedAt.toISOString(), duration_ms: Math.round(durationMs) };
  if ('problem' in outcome) return { ...times, status_code: null, error: outcome.problem };
  return { ...times, status_code: outcome.status, error: isSuccess(outcome.status) ? null : 'http_status' };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
