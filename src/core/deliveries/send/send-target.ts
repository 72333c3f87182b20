import { type Plan, PlatformError, type Receipt } from '../../../contract/index.js';
import type { DeliveryStore, SendingConnection } from '../ports.js';
import type { DeliveryTask } from '../task.js';
import { callWithTimeout, STEP_LIMIT_MS } from './call-with-timeout.js';
import { destination, planTask } from './plan-task.js';
import type { Gate } from './write-gate.js';

/** The chat and the plan of a task. */
export interface SendTarget {
  readonly chatId: string;
  readonly plan: Plan;
  /** Whether the chat is an address. The first write then returns the chat. */
  readonly byAddress?: boolean;
  /** The chat that a write to an address opened. */
  readonly opened?: string;
}

/** Undefined if another worker has the lane. */
export async function findTarget(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  gate: Gate,
): Promise<SendTarget | undefined> {
  const { address, external_id } = task.link;
  const { adapter } = connection;
  if (address === null || adapter.openDirect === undefined) {
    return { chatId: external_id, plan: planTask(task, connection, external_id) };
  }
  if (adapter.writesToAddress !== undefined) {
    const plan = planTask(task, connection, address);
    if (isByAddress(task, plan, connection)) return { chatId: address, plan, byAddress: true };
  }
  if (!(await gate.pass(destination(task, external_id), undefined, task.parts))) return undefined;
  const chatId = await openChat(task, connection, store);
  return { chatId, plan: planTask(task, connection, chatId) };
}

function isByAddress(
  { operation, parts, link }: DeliveryTask,
  { steps: [first] }: Plan,
  { adapter }: SendingConnection,
): boolean {
  if (operation !== 'send' || first === undefined || parts.some(({ status }) => status === 'sent'))
    return false;
  return adapter.writesToAddress?.(first, link.address ?? '') ?? false;
}

/** Further parts go to the chat of the first part. */
export function targetAfter(place: SendTarget, { chatId }: Receipt): SendTarget {
  if (place.byAddress !== true || chatId === undefined) return place;
  return { chatId, plan: place.plan, opened: chatId };
}

export const openedIn = (place: SendTarget | undefined): { readonly chat?: string } =>
  place?.opened === undefined ? {} : { chat: place.opened };

/** Finds or opens the chat of an address on the platform, which is a separate call. */
export async function openChat(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
): Promise<string> {
  const { address, external_id, id } = task.link;
  const { adapter } = connection;
  const { openDirect } = adapter;
  if (address === null || openDirect === undefined) return external_id;
  const chatId = await callWithTimeout(() => openDirect.call(adapter, address), STEP_LIMIT_MS);
  await recorded(store.assignChatId(id, chatId));
  return chatId;
}

/** Turns a database error into a wait. Nothing was written, and the attempt is repeated. */
export async function recorded<T>(record: Promise<T>): Promise<T> {
  try {
    return await record;
  } catch (cause) {
    throw new PlatformError(
      { kind: 'unavailable', cause: 'network' },
      { dispatched: 'no', message: 'What was done could not be recorded.', cause },
    );
  }
}
