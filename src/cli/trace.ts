import { z } from 'zod';
import type { Config } from '../config.js';
import type { MessageTraceRecord, TraceStepRecord } from '../core/messages/trace.js';
import { plainTable } from './plain-table.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

/** Prints what happened to a message, one step per row. With `json`, one JSON object per line. */
export async function traceMessage(config: Config, id: string, json: boolean): Promise<number> {
  if (!z.guid().safeParse(id).success) throw new UsageError('The id of a message is a UUID.');
  return withStore(config, async ({ messageTrace }) => {
    const trace = await messageTrace(id);
    if (trace === undefined)
      throw new Error(
        `There is no message with the id ${id}. GET /openapi/messages lists messages with their ids.`,
      );
    process.stdout.write(json ? linesOf(trace) : `${tableOf(trace)}\n`);
    if (trace.truncated) process.stderr.write('The message has more steps. These are the earliest ones.\n');
    return 0;
  });
}

function linesOf({ steps }: MessageTraceRecord): string {
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('');
}

export function tableOf({ steps }: MessageTraceRecord): string {
  const table = plainTable(['Time', 'After', 'Step', 'Platform', 'Detail']);
  steps.forEach((step, index) => {
    table.push([
      step.at,
      afterPrevious(step, steps[index - 1]),
      step.type.replaceAll('_', ' '),
      step.platform ?? '',
      printable(detailOf(step)),
    ]);
  });
  return table.toString();
}

/** The time since the previous step. */
function afterPrevious({ at }: TraceStepRecord, previous: TraceStepRecord | undefined): string {
  if (previous === undefined) return '';
  const passed = Date.parse(at) - Date.parse(previous.at);
  return passed < 1_000 ? `${passed} ms` : `${(passed / 1_000).toFixed(passed < 60_000 ? 1 : 0)} s`;
}

/** The most useful details of a step, in one line. */
function detailOf(step: TraceStepRecord): string {
  const { error } = step;
  const parts = [
    step.direction,
    step.operation && `${step.operation}, revision ${step.revision}`,
    step.type === 'message_edited' && `revision ${step.revision}`,
    step.part !== null && `part ${step.part}`,
    step.parts !== null && `${step.parts} ${step.parts === 1 ? 'part' : 'parts'}`,
    step.status,
    step.resolution,
    step.send_at && `to be sent at ${step.send_at}`,
    step.external_id,
    step.degradations?.join(', '),
    error && [error.code, error.platform_code, error.message].filter(Boolean).join(': '),
    step.event,
    step.webhook_id && `webhook ${step.webhook_id}`,
    step.status_code !== null && `HTTP ${step.status_code}`,
    step.failure,
    step.duration_ms !== null && `${step.duration_ms} ms`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Removes control characters from texts of platforms, because a terminal would interpret them. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, ' ').slice(0, 300);
}
