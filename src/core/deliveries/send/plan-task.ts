import {
  type Degradation,
  MAX_PARTS,
  type Operation,
  type Plan,
  PlatformError,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
} from '../../../contract/index.js';
import type { SendingConnection } from '../ports.js';
import type { PlannedTask } from '../task.js';
import { placesOf, threadOf as placeThread } from './step-parts.js';
import { taskContent } from './task-content.js';

/** The parts of a connection that a plan depends on. */
type PlanningConnection = Pick<SendingConnection, 'adapter' | 'capabilities' | 'buttons'>;

/** The writes of a task, as planned by the adapter. */
export function planTask(task: PlannedTask, connection: PlanningConnection, chatId: string): Plan {
  // A copy that an operator confirmed without its id cannot be edited. The edit would create a second copy.
  if (task.operation === 'edit' && remoteParts(task).length === 0) {
    return { steps: [], degradations: ['edit'] };
  }
  const planned = connection.adapter.plan(operationOf(task, connection, chatId), connection.capabilities);
  const plan = { ...planned, degradations: [...planned.degradations, ...lostThread(task, connection)] };
  if (plan.steps.flatMap((step) => (step.action === 'remove' ? [] : placesOf(step))).length > MAX_PARTS) {
    throw new PlatformError(
      { kind: 'rejected', reason: 'too_long' },
      { dispatched: 'no', message: `The message needs more than ${MAX_PARTS} platform parts.` },
    );
  }
  return plan;
}

function operationOf(task: PlannedTask, connection: PlanningConnection, chatId: string): Operation {
  const to = destination(task, chatId);
  if (task.operation === 'delete') return { type: 'delete', to, parts: remoteParts(task) };
  const content = taskContent(task, connection.capabilities);
  if (task.operation === 'edit') return { type: 'edit', to, parts: remoteParts(task), ...content };
  return {
    type: 'send',
    to,
    ...content,
    ...(task.message.automatic === true ? { automatic: true } : {}),
    ...buttonsOf(task, connection),
    ...(task.reply_to_external_id === null ? {} : { replyToId: remoteMessageId(task.reply_to_external_id) }),
    ...threadOf(task, connection),
  };
}

/** All buttons, or none if the platform cannot show all of them. */
function buttonsOf({ message: { buttons } }: PlannedTask, { buttons: rules }: PlanningConnection) {
  if (!buttons || rules === undefined || buttons.length > rules.max) return {};
  const fits = buttons.every(
    ({ label, value }) =>
      label.length <= rules.label_max && Buffer.byteLength(value) <= rules.value_max_bytes,
  );
  return fits ? { buttons } : {};
}

function threadOf(task: PlannedTask, { capabilities }: PlanningConnection) {
  const root = task.thread?.root_external_id ?? null;
  return root === null || capabilities.ops.thread !== 'native' ? {} : { threadRootId: remoteMessageId(root) };
}

/** A message loses its thread if the platform has no threads or if the thread's root has no copy in the chat. */
function lostThread(task: PlannedTask, connection: PlanningConnection): readonly Degradation[] {
  if (!task.thread || task.operation === 'delete') return [];
  return 'threadRootId' in threadOf(task, connection) ? [] : ['thread'];
}

function remoteParts(task: PlannedTask): RemotePart[] {
  return task.parts.flatMap((part) =>
    part.external_id === null
      ? []
      : [{ index: part.index, kind: part.kind, id: remoteMessageId(part.external_id) }],
  );
}

export function destination(task: PlannedTask, chatId: string) {
  const threadId = placeThread(task);
  return {
    chatId: remoteChatId(chatId),
    ...(threadId === null ? {} : { threadId }),
    ...(threadId === null || task.link.external_thread_id !== null ? {} : { mayLeaveThread: true as const }),
  };
}
