import { type HealthReport, PlatformError } from '../contract/index.js';
import { AdapterDefect, HookOverdue } from '../core/adapters/hook-runner.js';

/** Whether the adapter failed, not the platform. */
export function isOfAdapter(cause: unknown): boolean {
  return cause instanceof AdapterDefect || cause instanceof HookOverdue;
}

/** The health of a connection that could not be connected. `message` describes the failure, without secrets. */
export function failureReport(cause: unknown, message: string): HealthReport {
  if (cause instanceof AdapterDefect) {
    const fix = 'Report this to the author of the adapter. The connection is retried automatically.';
    return { code: 'misconfigured', message, fix };
  }
  if (requestedWaitMs(cause) !== undefined)
    return { code: 'rate_limited', message, fix: 'The connection is retried automatically after that.' };
  const fix = 'Check api_base_url and the network. The connection is retried automatically.';
  return { code: 'transient', message, fix };
}

/** The wait that the platform requested. */
export function requestedWaitMs(cause: unknown): number | undefined {
  if (!(cause instanceof PlatformError) || cause.problem.kind !== 'rate_limited') return undefined;
  return cause.problem.retryAfterMs;
}
