import { clock } from '../../contract/clock.js';
import {
  MAX_PARTS,
  type Operation,
  type PartStep,
  type Plan,
  PlatformError,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../contract/index.js';
import type { DeliveryStore, SendingConnection } from '../ports/deliveries.js';
import { assertMedia } from './awaited-media.js';
import { type Gate, openGate } from './gate.js';
import { stepKey } from './step-key.js';
import { partsAfter, placesOf } from './step-parts.js';
import type { DeliveryTask, KnownPart } from './task.js';
import { taskContent } from './task-content.js';

/** One write may take this long before it counts as lost; shorter than the lane's lease. */
export const STEP_LIMIT_MS = 20_000;

/** How far a task got. `failure` is set when it stopped before its end. */
export interface Run {
  readonly parts: readonly KnownPart[];
  readonly degradations: readonly string[];
  readonly failure?: { readonly cause: unknown; readonly step: PartStep | undefined };
  /** The lane was taken over meanwhile: nothing of this may be recorded. */
  readonly fenced?: boolean;
}

/** Carries out one send, edit or removal at the platform, part by part. Never throws. */
export async function runTask(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  signal: AbortSignal,
  gate: Gate = openGate,
): Promise<Run> {
  const parts = new Map(task.parts.map((part) => [part.index, part]));
  const degradations: string[] = [];
  let step: PartStep | undefined;
  try {
    assertMedia(task, clock.now());
    if (
      needsOpening(task, connection) &&
      !(await gate.pass(destination(task, task.link.external_id), undefined, task.parts))
    ) {
      return { parts: [], degradations, fenced: true };
    }
    const chatId = await openChat(task, connection, store);
    const plan = planTask(task, connection, chatId);
    degradations.push(...plan.degradations);
    for (const next of plan.steps) {
      if (next.action === 'create' && parts.get(next.index)?.status === 'sent') continue;
      step = next;
      if (!(await gate.pass(destination(task, chatId), next, [...parts.values()]))) {
        return { parts: [], degradations, fenced: true };
      }
      const receipt = await executeStep(task, connection, chatId, next, signal);
      if (receipt.rates !== undefined) await gate.answered(receipt);
      degradations.push(...(receipt.degradations ?? []));
      for (const part of partsAfter(next, receipt, parts)) parts.set(part.index, part);
      step = undefined;
      if (next !== plan.steps.at(-1) && !(await recorded(store.progress(task, [...parts.values()])))) {
        return { parts: [], degradations, fenced: true };
      }
    }
    return { parts: [...parts.values()], degradations };
  } catch (cause) {
    return { parts: [...parts.values()], degradations, failure: { cause, step } };
  }
}

/** The writes a task needs, as the adapter plans them. */
export function planTask(task: DeliveryTask, connection: SendingConnection, chatId: string): Plan {
  // A copy that somebody vouched for without knowing its id can't be changed; a second one would be made.
  if (task.operation === 'edit' && remoteParts(task).length === 0) {
    return { steps: [], degradations: ['edit'] };
  }
  const plan = connection.adapter.plan(operationOf(task, connection, chatId), connection.capabilities);
  if (plan.steps.flatMap((step) => (step.action === 'remove' ? [] : placesOf(step))).length > MAX_PARTS) {
    throw new PlatformError(
      { kind: 'rejected', reason: 'too_long' },
      { dispatched: 'no', message: `The message needs more than ${MAX_PARTS} platform parts.` },
    );
  }
  return plan;
}

function operationOf(task: DeliveryTask, connection: SendingConnection, chatId: string): Operation {
  const to = destination(task, chatId);
  if (task.operation === 'delete') return { type: 'delete', to, parts: remoteParts(task) };
  const content = taskContent(task, connection.capabilities);
  if (task.operation === 'edit') return { type: 'edit', to, parts: remoteParts(task), ...content };
  return {
    type: 'send',
    to,
    ...content,
    ...(task.message.automatic === true ? { automatic: true } : {}),
    ...(task.reply_to_external_id === null ? {} : { replyToId: remoteMessageId(task.reply_to_external_id) }),
  };
}

function remoteParts(task: DeliveryTask): RemotePart[] {
  return task.parts.flatMap((part) =>
    part.external_id === null
      ? []
      : [{ index: part.index, kind: part.kind, id: remoteMessageId(part.external_id) }],
  );
}

export function destination(task: DeliveryTask, chatId: string) {
  const thread = task.link.external_thread_id;
  return {
    chatId: remoteChatId(chatId),
    ...(thread === null ? {} : { threadId: remoteThreadId(thread) }),
  };
}

/** Whether the chat of an address must be found or opened on the platform first, which is a call of its own. */
function needsOpening({ link }: DeliveryTask, { adapter }: SendingConnection): boolean {
  return link.address !== null && adapter.openDirect !== undefined;
}

export async function openChat(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
): Promise<string> {
  const { address, external_id, id } = task.link;
  if (address === null || connection.adapter.openDirect === undefined) return external_id;
  const chatId = await connection.adapter.openDirect(address);
  await recorded(store.openChat(id, chatId));
  return chatId;
}

/** What our own database refuses is no fault of the message: nothing more was written, and the rest is tried again. */
async function recorded<T>(record: Promise<T>): Promise<T> {
  try {
    return await record;
  } catch (cause) {
    throw new PlatformError(
      { kind: 'unavailable', cause: 'network' },
      { dispatched: 'no', message: 'What was done could not be recorded.', cause },
    );
  }
}

async function executeStep(
  task: DeliveryTask,
  connection: SendingConnection,
  chatId: string,
  step: PartStep,
  signal: AbortSignal,
) {
  const key = stepKey(task, step);
  // By hand, since AbortSignal.any and AbortSignal.timeout cost more than all the rest of a step.
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal.reason);
  const timer = setTimeout(
    () => limit.abort(new DOMException('The write took too long.', 'TimeoutError')),
    STEP_LIMIT_MS,
  );
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await connection.adapter.execute(step, {
      to: destination(task, chatId),
      key,
      signal: limit.signal,
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
