import {
  PlatformError,
  type PlatformErrorOptions,
  type PlatformProblem,
} from '../../../src/contract/index.js';

export type ScriptedFailure =
  | 'content_rejected'
  | 'recipient_gone'
  | 'blocked_by_recipient'
  | 'unreachable'
  | 'rate_limited'
  | 'answer_lost';

const failures: Readonly<
  Record<ScriptedFailure, { readonly problem: PlatformProblem } & Omit<PlatformErrorOptions, 'code'>>
> = {
  content_rejected: {
    problem: { kind: 'rejected', reason: 'content_rejected' },
    dispatched: 'no',
    message: 'The sandbox refuses the text, as this address specifies.',
  },
  recipient_gone: {
    problem: { kind: 'rejected', reason: 'recipient_gone' },
    dispatched: 'no',
    message: 'The sandbox has no user at this address, as this address specifies.',
  },
  blocked_by_recipient: {
    problem: { kind: 'rejected', reason: 'blocked_by_recipient' },
    dispatched: 'no',
    message: 'The person at this sandbox address blocks the account.',
  },
  unreachable: {
    problem: { kind: 'unavailable', cause: 'network' },
    dispatched: 'no',
    message: 'The sandbox could not be reached, as this address specifies for the first attempt.',
  },
  rate_limited: {
    problem: { kind: 'rate_limited', retryAfterMs: 2_000, scope: 'chat' },
    dispatched: 'no',
    message: 'The sandbox limits the rate, as this address specifies for the first attempt.',
  },
  answer_lost: {
    problem: { kind: 'unavailable', cause: 'network' },
    dispatched: 'unknown',
    message: 'The response of the sandbox was lost, as this address specifies.',
  },
};

/** The error of a scripted failure. */
export function scriptedError(failure: ScriptedFailure): PlatformError {
  const { problem, ...options } = failures[failure];
  return new PlatformError(problem, { ...options, code: `sandbox_${failure}` });
}
