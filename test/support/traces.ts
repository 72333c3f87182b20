import type { TraceStepRecord, TraceStepType } from '../../src/core/messages/trace.js';

/** The steps of a trace by their names, without those about events and webhooks. */
export function typesOf(steps: readonly TraceStepRecord[]): TraceStepType[] {
  const told = new Set<TraceStepType>(['event_recorded', 'webhook_queued', 'webhook_tried']);
  return steps.map(({ type }) => type).filter((type) => !told.has(type));
}
