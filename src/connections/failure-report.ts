import { type HealthReport, PlatformError } from '../contract/index.js';
import { AdapterDefect, HookOverdue } from '../core/adapters/hook-runner.js';

/** Whether the adapter failed, not the platform. */
export function isOfAdapter(cause: unknown): boolean {
  return cause instanceof AdapterDefect || cause instanceof HookOverdue;
}

/** The health of a connection that could not be connected. `message` describes the failure, without secrets. */
export function failureReport(cause: unknown, message: string): HealthReport {
  if (cause instanceof AdapterDefect) {
    const fix = 'Report this to the author of the adapter. The connection is tried again by itself.';
    return { code: 'misconfigured', message, fix };
  }
  if (askedWaitMs(cause) !== undefined)
    return { code: 'rate_limited', message, fix: 'The connection is tried again by itself after that.' };
  const fix = 'Check api_base_url and the network; the connection is tried again by itself.';
  return { code: 'transient', message, fix };
}

/** The wait that the platform requested. */
export function askedWaitMs(cause: unknown): number | undefined {
  if (!(cause instanceof PlatformError) || cause.problem.kind !== 'rate_limited') return undefined;
  return cause.problem.retryAfterMs;
}
