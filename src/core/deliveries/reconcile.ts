import { askedWaitMs } from '../../contract/asked-wait.js';
import { clock } from '../../contract/clock.js';
import { PlatformError, remoteMessageId } from '../../contract/index.js';
import type { DeliveryStore, SendingConnection } from '../ports/deliveries.js';
import type { Gate } from './gate.js';
import { limited, STEP_LIMIT_MS } from './limited.js';
import { openChat } from './place.js';
import { destination, planTask } from './plan-task.js';
import { RECONCILE_AGAIN_MS, RECONCILE_SELDOM_MS, RETRY_WAITS_MS } from './retry-schedule.js';
import { stepKey } from './step-key.js';
import { partsAfter } from './step-parts.js';
import type { DeliveryMove, DeliveryTask, KnownPart, TaskResult } from './task.js';
import { later, policyFor, shownRevision, taskKeys } from './task-result.js';

export interface Asking {
  /** Lets each question go, like a write. */
  readonly gate: Gate;
  /** Is told why the platform did not answer. */
  notice(cause: unknown): Promise<void>;
}

/**
 * Finds out what became of a send whose answer was lost, as the connection's policy says. Undefined when the lane was taken
 * over meanwhile.
 */
export async function reconcile(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  { gate, notice }: Asking,
): Promise<TaskResult | undefined> {
  if (policyFor(task, connection) === 'retry') return resolved(task, [], again(task, 'retried'));
  try {
    return await ask(task, connection, store, gate);
  } catch (cause) {
    await notice(cause);
    return unanswered(task, cause);
  }
}

/** Asks again later, the less often the longer nobody could say; what is refused for good is not asked for again. */
function unanswered(task: DeliveryTask, cause: unknown): TaskResult {
  const problem = cause instanceof PlatformError ? cause.problem : undefined;
  const error = {
    code: 'network' as const,
    message: cause instanceof Error ? cause.message : 'The platform could not be asked.',
    permanent: false,
    platform_code: null,
  };
  if (problem?.kind === 'rejected') return { ...resolved(task, [], null), error };
  const now = clock.date();
  const askedMs = problem?.kind === 'rate_limited' ? askedWaitMs(problem.retryAfterMs) : 0;
  const since = task.uncertain_at ?? undefined;
  const sinceMs = since === undefined ? 0 : now.getTime() - Date.parse(since);
  const waitMs = Math.max(askedMs, RECONCILE_AGAIN_MS, Math.min(sinceMs, RECONCILE_SELDOM_MS));
  return { ...putOff(task, [], later(now, waitMs)), outcome: 'retry', error };
}

async function ask(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  gate: Gate,
): Promise<TaskResult | undefined> {
  const { lookup } = connection.adapter;
  if (lookup === undefined) return resolved(task, [], null);
  // The sender may have stopped before the chat was opened.
  const opens = task.link.address !== null && connection.adapter.openDirect !== undefined;
  if (opens && !(await gate.pass(destination(task, task.link.external_id), undefined, task.parts))) return;
  const chatId = await openChat(task, connection, store);
  const send = { ...task, operation: 'send' as const };
  const found: KnownPart[] = [];
  const revision = task.last_try?.revision ?? task.message.revision;
  const wasEdited = task.message.revision > revision;
  for (const step of planTask(send, connection, chatId).steps) {
    if (task.parts.some((part) => part.index === step.index && part.status === 'sent')) continue;
    const to = destination(task, chatId);
    if (!(await gate.pass(to, undefined, task.parts))) return;
    const query = {
      to,
      key: stepKey(send, step),
      step,
      startedAt: task.started_at ?? new Date(0).toISOString(),
      ...(task.last_try ? { lastStartedAt: task.last_try.started_at } : {}),
      knownIds: [...task.known_ids, ...found.flatMap((part) => part.external_id ?? [])].map(remoteMessageId),
    };
    const result = await limited(() => lookup.call(connection.adapter, query), STEP_LIMIT_MS);
    if (result.outcome === 'undecidable') return undecided(task, found, result);
    if (result.outcome === 'absent') {
      // Platforms without keys know it by its text, and the lost one said what the message said before its edit.
      return resolved(task, found, wasEdited ? null : again(task, 'reconciled'));
    }
    found.push(...partsAfter(step, result));
  }
  return resolved(task, found, {
    from: ['uncertain'],
    to: 'sent',
    revision: shownRevision(task.parts, revision),
    resolution: 'reconciled',
    error: null,
  });
}

/** Held, unless the platform may know later. */
function undecided(
  task: DeliveryTask,
  found: readonly KnownPart[],
  { askAgainAfterMs }: { readonly askAgainAfterMs?: number },
): TaskResult {
  const until = askAgainAfterMs === undefined ? null : later(clock.date(), askedWaitMs(askAgainAfterMs));
  return putOff(task, found, until);
}

/** Sends again while tries are left; the tries are spent after as many as the schedule has. */
function again(task: DeliveryTask, resolution: 'reconciled' | 'retried'): DeliveryMove {
  if (task.attempt_count > RETRY_WAITS_MS.length) {
    const error = {
      code: 'network' as const,
      message: 'The platform never confirmed the message.',
      permanent: false,
      platform_code: null,
    };
    return { from: ['uncertain'], to: 'failed', error };
  }
  return { from: ['uncertain'], to: 'queued', resolution, error: null };
}

/** No move: nothing can be said, the delivery is held. */
function resolved(task: DeliveryTask, parts: readonly KnownPart[], move: DeliveryMove | null): TaskResult {
  if (move === null) return putOff(task, parts, null);
  return { ...taskKeys(task), outcome: 'uncertain', error: null, parts, move, change: null };
}

/** It is asked for again at a time, or not any more. */
function putOff(task: DeliveryTask, parts: readonly KnownPart[], until: string | null): TaskResult {
  const change = { next_attempt_at: until };
  return { ...taskKeys(task), outcome: 'uncertain', error: null, parts, move: null, change };
}
