import { clock } from '../../contract/clock.js';
import { type Disposition, dispose } from './disposition.js';
import type { SendingConnection } from './ports.js';
import { RETRY_WAITS_MS } from './retry-schedule.js';
import type { Run } from './send/run-task.js';
import { placesOf } from './send/step-parts.js';
import type { DeliveryChange, DeliveryMove, DeliveryTask, KnownPart, TaskResult } from './task.js';
import type { FinishedAttempt } from './telemetry.js';
import { policyFor } from './uncertain-policy.js';

/** Converts the run of a task to the result that is recorded. */
export function resultOf(
  task: DeliveryTask,
  connection: SendingConnection,
  run: Run,
  now: Date,
  random: number,
): TaskResult {
  const result =
    run.failure === undefined
      ? succeeded(task, run)
      : failed(task, connection, run, run.failure, now, random);
  return run.chat === undefined ? result : { ...result, chat: run.chat };
}

function failed(
  task: DeliveryTask,
  connection: SendingConnection,
  run: Run,
  { cause, step }: NonNullable<Run['failure']>,
  now: Date,
  random: number,
): TaskResult {
  const disposition = dispose(cause, {
    attemptCount: task.attempt_count,
    policy: policyFor(task, connection),
    repeatable: step === undefined || step.action !== 'create',
    random,
  });
  return task.operation === 'send'
    ? failedSend(task, run, disposition, now)
    : failedChange(task, run, disposition, now);
}

/** The report about an attempt that was just recorded. The id of a delivery contains its creation time. */
export function finishedAttempt(
  task: DeliveryTask,
  { outcome }: TaskResult,
  platform: string,
  times: { readonly claimedAt: number; readonly startedAt: number; readonly tookMs: number },
): FinishedAttempt {
  const isSent = task.operation === 'send' && outcome === 'sent';
  return {
    platform,
    operation: task.operation,
    outcome,
    messageId: task.message.id,
    deliveryId: task.delivery_id,
    claimedAt: times.claimedAt,
    startedAt: times.startedAt,
    recordedAt: clock.now(),
    seconds: times.tookMs / 1_000,
    sinceAcceptedSeconds: isSent ? Math.max(0, clock.now() - madeAt(task.delivery_id)) / 1_000 : undefined,
  };
}

/** The log fields of the same report. */
export function attemptLine(
  { deliveryId, operation, outcome, startedAt, recordedAt }: FinishedAttempt,
  error: TaskResult['error'],
  connectionId: string,
) {
  return {
    delivery_id: deliveryId,
    connection_id: connectionId,
    operation,
    outcome,
    error: error?.code,
    duration_ms: recordedAt - startedAt,
  };
}

/** The creation time of a UUIDv7, which begins with its milliseconds. */
function madeAt(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

/** The result of a task that was leased and not begun. It is due again immediately, and no attempt is counted. */
export function untouched(task: DeliveryTask): TaskResult {
  const result = { ...taskKeys(task), outcome: 'waiting' as const, error: null, parts: task.parts };
  if (task.operation !== 'send') {
    // A lookup without a time would be held and never repeated.
    const again = task.operation === 'reconcile' ? later(clock.date(), 0) : null;
    return { ...result, move: null, change: { next_attempt_at: again } };
  }
  const move: DeliveryMove = {
    from: ['sending'],
    to: 'queued',
    attempt_count: task.attempt_count - 1,
    next_attempt_at: null,
  };
  return { ...result, move, change: null };
}

/** The fields that identify a result. */
export function taskKeys(task: DeliveryTask) {
  return {
    delivery_id: task.delivery_id,
    link_id: task.link.id,
    message_id: task.message.id,
    attempt_id: task.attempt_id,
    fence: task.fence,
  };
}

function succeeded(task: DeliveryTask, run: Run): TaskResult {
  const done = { ...taskKeys(task), outcome: 'sent' as const, error: null, parts: run.parts };
  if (task.operation === 'send') {
    const move = {
      from: ['sending' as const],
      to: 'sent' as const,
      revision: shownRevision(task.parts, task.message.revision),
      degradations: unique(run.degradations),
      error: null,
    };
    return { ...done, move, change: null };
  }
  const degradations = unique(run.degradations);
  const change =
    task.operation === 'delete'
      ? { removal: 'done' as const, degradations }
      : edited(task, !degradations.includes('edit'), degradations);
  return { ...done, move: null, change };
}

/** The change for an edit that is finished. If nothing was written, the platform still shows the previous revision. */
function edited(
  { message: { revision } }: DeliveryTask,
  isShown: boolean,
  degradations: readonly string[],
): DeliveryChange {
  return { ...(isShown ? { revision } : { given_up: revision }), tries: 0, degradations };
}

/**
 * The revision that a completed send shows. Parts that an earlier attempt wrote may show an earlier revision; an edit
 * then follows.
 */
export function shownRevision(parts: readonly KnownPart[], revision: number): number {
  const isMixed = parts.some(({ status }) => status === 'sent' || status === 'uncertain');
  return isMixed && revision > 1 ? revision - 1 : revision;
}

function failedSend(task: DeliveryTask, run: Run, disposition: Disposition, now: Date): TaskResult {
  const { error } = disposition;
  const from = ['sending' as const];
  const degradations = unique(run.degradations);
  // The next attempt continues after the parts that were written.
  const kept = run.hasWritten === true ? { degradations } : {};
  const common = { ...taskKeys(task), error, parts: run.parts, change: null };
  if (run.failure?.isUncertain === true && wroteNothing(run.failure, disposition))
    return { ...common, ...backToUncertain(task, disposition, now, kept) };
  switch (disposition.action) {
    case 'retry':
      return {
        ...common,
        outcome: 'retry',
        move: { from, to: 'queued', error, next_attempt_at: later(now, disposition.waitMs), ...kept },
      };
    case 'wait':
      return {
        ...common,
        outcome: 'waiting',
        move: {
          from,
          to: 'queued',
          attempt_count: task.attempt_count - 1,
          // Null means immediately. The current time is not used, because the clock of the database may be slightly behind.
          next_attempt_at: disposition.waitMs ? later(now, disposition.waitMs) : null,
          ...kept,
        },
      };
    case 'uncertain':
      return {
        ...common,
        parts: withUnwritten(run, 'uncertain'),
        outcome: 'uncertain',
        move: {
          from,
          to: 'uncertain',
          error,
          degradations,
          next_attempt_at: disposition.askAfterMs === null ? null : later(now, disposition.askAfterMs),
        },
      };
    case 'block':
    case 'fail': {
      const to = disposition.action === 'block' ? 'blocked' : 'failed';
      return { ...common, parts: withUnwritten(run, 'failed'), outcome: to, move: { from, to, error } };
    }
  }
}

/** Whether a failed attempt certainly wrote nothing and its message is not refused. */
function wroteNothing({ step }: NonNullable<Run['failure']>, { action }: Disposition): boolean {
  return step === undefined || action === 'retry' || action === 'wait';
}

/**
 * An earlier attempt may still take effect, so a lookup precedes the next attempt. Without a time for it, the delivery
 * is held.
 */
function backToUncertain(
  task: DeliveryTask,
  disposition: Disposition,
  now: Date,
  kept: Pick<DeliveryMove, 'degradations'>,
) {
  const { action, error } = disposition;
  const isWait = action === 'wait';
  const waitMs = action === 'wait' || action === 'retry' ? (disposition.waitMs ?? 0) : undefined;
  const move: DeliveryMove = {
    from: ['sending'],
    to: 'uncertain',
    error,
    attempt_count: isWait ? task.attempt_count - 1 : task.attempt_count,
    next_attempt_at: waitMs === undefined ? null : later(now, waitMs),
    ...kept,
  };
  return { outcome: isWait ? ('waiting' as const) : ('retry' as const), move };
}

/** An edit or removal that is not possible is abandoned with a degradation. The message itself stays sent. */
function failedChange(task: DeliveryTask, run: Run, disposition: Disposition, now: Date): TaskResult {
  const { error } = disposition;
  if (disposition.action === 'uncertain' && disposition.askAfterMs !== null && hasTriesLeft(task)) {
    const change = { next_attempt_at: later(now, disposition.askAfterMs), tries: task.attempt_count };
    return { ...taskKeys(task), error, parts: run.parts, move: null, outcome: 'uncertain', change };
  }
  const isUnknown = disposition.action === 'uncertain';
  const parts = isUnknown ? run.parts : withUnwritten(run, 'removed');
  const common = { ...taskKeys(task), error, parts, move: null };
  if (disposition.action === 'retry' || disposition.action === 'wait') {
    const waitMs = disposition.waitMs ?? 60_000;
    return {
      ...common,
      outcome: disposition.action === 'retry' ? 'retry' : 'waiting',
      change: {
        next_attempt_at: later(now, waitMs),
        ...(disposition.action === 'retry' ? { tries: task.attempt_count } : {}),
      },
    };
  }
  const change =
    task.operation === 'delete'
      ? { removal: 'failed' as const, degradations: ['delete'] }
      : edited(task, run.hasWritten === true, ['edit']);
  return { ...common, outcome: isUnknown ? 'uncertain' : 'failed', change };
}

function hasTriesLeft({ attempt_count: tries }: DeliveryTask): boolean {
  return tries <= RETRY_WAITS_MS.length;
}

/** The parts of a task, including those of the failed step if it was to create them. */
function withUnwritten({ parts, failure }: Run, status: 'uncertain' | 'failed' | 'removed'): KnownPart[] {
  if (failure?.step?.action !== 'create') return [...parts];
  const ended = placesOf(failure.step);
  const rest = parts.filter((part) => !ended.some(({ index }) => index === part.index));
  return [...rest, ...ended.map((place) => ({ ...place, status, external_id: null }))];
}

export { policyFor };

export function later(now: Date, waitMs: number): string {
  return new Date(now.getTime() + Math.max(0, waitMs)).toISOString();
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
