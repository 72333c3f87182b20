import { PlatformError, remoteMessageId } from '../../contract/index.js';
import type { DeliveryStore, SendingConnection } from '../ports/deliveries.js';
import { openChat } from './place.js';
import { destination, planTask } from './plan-task.js';
import { RECONCILE_AGAIN_MS, RETRY_WAITS_MS } from './retry-schedule.js';
import { stepKey } from './step-key.js';
import { partsAfter } from './step-parts.js';
import type { DeliveryMove, DeliveryTask, KnownPart, TaskResult } from './task.js';
import { later, policyFor, taskKeys } from './task-result.js';

/**
 * Finds out what became of a send whose answer was lost, as the connection's policy says. When the question fails,
 * `notice` is told why before it is put off.
 */
export async function reconcile(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  now: Date,
  notice: (cause: unknown) => Promise<void>,
): Promise<TaskResult> {
  if (policyFor(task, connection) === 'retry') return resolved(task, [], again(task, 'retried'));
  try {
    return await ask(task, connection, store);
  } catch (cause) {
    await notice(cause);
    const error = {
      code: 'network' as const,
      message: cause instanceof Error ? cause.message : 'The platform could not be asked.',
      permanent: false,
      platform_code: null,
    };
    const change = { next_attempt_at: later(now, Math.max(RECONCILE_AGAIN_MS, askedWaitMs(cause))) };
    return { ...resolved(task, [], null), outcome: 'retry', error, change };
  }
}

function askedWaitMs(cause: unknown): number {
  return cause instanceof PlatformError && cause.problem.kind === 'rate_limited'
    ? cause.problem.retryAfterMs
    : 0;
}

async function ask(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
): Promise<TaskResult> {
  const { lookup } = connection.adapter;
  if (lookup === undefined) return resolved(task, [], null);
  // The sender may have stopped before the chat was opened.
  const chatId = await openChat(task, connection, store);
  const send = { ...task, operation: 'send' as const };
  const found: KnownPart[] = [];
  for (const step of planTask(send, connection, chatId).steps) {
    if (task.parts.some((part) => part.index === step.index && part.status === 'sent')) continue;
    const result = await lookup.call(connection.adapter, {
      to: destination(task, chatId),
      key: stepKey(send, step),
      step,
      startedAt: task.started_at ?? new Date(0).toISOString(),
      knownIds: [...task.known_ids, ...found.flatMap((part) => part.external_id ?? [])].map(remoteMessageId),
    });
    if (result.outcome === 'undecidable') return resolved(task, found, null);
    if (result.outcome === 'absent') return resolved(task, found, again(task, 'reconciled'));
    found.push(...partsAfter(step, result));
  }
  return resolved(task, found, {
    from: ['uncertain'],
    to: 'sent',
    revision: task.message.revision,
    resolution: 'reconciled',
    error: null,
  });
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
  const change = move === null ? { next_attempt_at: null } : null;
  return { ...taskKeys(task), outcome: 'uncertain', error: null, parts, move, change };
}
