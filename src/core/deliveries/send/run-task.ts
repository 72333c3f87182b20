import { clock } from '../../../contract/clock.js';
import { linkedSignal, type PartStep, PlatformError } from '../../../contract/index.js';
import type { DeliveryStore, MovedChat, SendingConnection } from '../ports.js';
import type { DeliveryTask, KnownPart } from '../task.js';
import { policyFor } from '../uncertain-policy.js';
import { callWithTimeout, STEP_LIMIT_MS } from './call-with-timeout.js';
import { assertMedia } from './pending-media.js';
import { destination } from './plan-task.js';
import { findTarget, openedIn, recorded, type SendTarget, targetAfter } from './send-target.js';
import { referenceTo, stepKey } from './step-key.js';
import { awaited, completed, partsAfter } from './step-parts.js';
import { begun, findUncertainCreate, isUncertainCreate } from './uncertain-create.js';
import { type Gate, openGate } from './write-gate.js';
import { writeLimitMs } from './write-limit.js';

/** The result of running a task. `failure` is set if it did not finish. */
export interface Run {
  readonly parts: readonly KnownPart[];
  readonly degradations: readonly string[];
  /** The chat that was opened by writing to an address. */
  readonly chat?: string;
  readonly failure?: {
    readonly cause: unknown;
    readonly step: PartStep | undefined;
    /** Whether an earlier attempt may have created the part that this attempt was to create. */
    readonly isUncertain?: boolean;
  };
  /** Whether something was written before the failure. */
  readonly hasWritten?: boolean;
  /** Another worker has the lane; nothing of this may be recorded. */
  readonly fenced?: boolean;
}

/** Runs one send, edit or removal on the platform, part by part. Follows a chat that has moved, once. Never rejects. */
export async function runTask(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  signal: AbortSignal,
  gate: Gate = openGate,
): Promise<Run> {
  const run = await runThere(task, connection, store, signal, gate);
  const { cause, step } = run.failure ?? {};
  if (!(cause instanceof PlatformError) || cause.problem.kind !== 'moved' || cause.dispatched !== 'no')
    return run;
  const { problem } = cause;
  try {
    // Fails if another link already has the new chat.
    await recorded(store.moveChat(task.connection_id, task.link.external_id, problem));
  } catch (unrecorded) {
    return { ...run, failure: { cause: unrecorded, step } };
  }
  const there = movedTask({ ...task, parts: run.parts }, problem);
  return runThere(there, connection, store, signal, gate);
}

/** The task for the new chat. If message ids start again there, ids of the old chat would refer to other messages. */
function movedTask(task: DeliveryTask, { toChatId, renumbered }: MovedChat): DeliveryTask {
  const moved = { ...task, link: { ...task.link, external_id: toChatId, address: null } };
  if (renumbered !== true) return moved;
  return {
    ...moved,
    external_thread_id: null,
    reply_to_external_id: null,
    thread: task.thread ? { root_external_id: null } : null,
    parts: task.parts.map((part) => ({ ...part, external_id: null })),
  };
}

async function runThere(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  signal: AbortSignal,
  gate: Gate,
): Promise<Run> {
  const parts = new Map(task.parts.map((part) => [part.index, part]));
  const note = (some: readonly KnownPart[]) => some.map((part) => parts.set(part.index, part));
  const degradations: string[] = [];
  const fenced = { parts: [], degradations, fenced: true };
  let written = 0;
  let isUncertain = false;
  let step: PartStep | undefined;
  let target: SendTarget | undefined;
  try {
    assertMedia(task, clock.now());
    target = await findTarget(task, connection, store, gate);
    if (target === undefined) return fenced;
    degradations.push(...target.plan.degradations);
    for (const next of target.plan.steps) {
      if (next.action === 'create' && parts.get(next.index)?.status === 'sent') continue;
      const isAdded = task.operation === 'edit' && next.action === 'create';
      isUncertain = isUncertainCreate(next, parts) && policyFor(task, connection) !== 'retry';
      if (isUncertain) {
        const made = await findUncertainCreate({ task, connection, gate }, next, target.chatId, parts);
        if (made === undefined) return fenced;
        if (note(made).length > 0) continue;
      }
      step = next;
      if (!(await gate.pass(destination(task, target.chatId), next, [...parts.values()]))) return fenced;
      if (isAdded && !(await noted(next, { task, target, parts, store }))) return fenced;
      const receipt = await executeStep({ task, connection, signal, gate }, target, next, parts);
      written += 1;
      isUncertain = false;
      target = targetAfter(target, receipt);
      if (receipt.rates !== undefined) await gate.answered(receipt);
      degradations.push(...(receipt.degradations ?? []));
      note(partsAfter(task, next, receipt, parts));
      step = undefined;
      if (next === target.plan.steps.at(-1)) continue;
      if (task.operation === 'send') note(awaited(target.plan.steps, parts));
      if (!(await progressed(task, target, [...parts.values()], store))) return fenced;
    }
    return { parts: completed(parts.values()), degradations, ...openedIn(target) };
  } catch (cause) {
    const known = { parts: [...parts.values()], degradations, ...openedIn(target) };
    return { ...known, failure: { cause, step, isUncertain }, hasWritten: written > 0 };
  }
}

interface Noting {
  readonly task: DeliveryTask;
  readonly target: SendTarget;
  readonly parts: Map<number, KnownPart>;
  readonly store: DeliveryStore;
}

/** Records a create of an edit before it begins. Resolves with false if another worker has the lane. */
function noted(step: PartStep, { task, target, parts, store }: Noting): Promise<boolean> {
  for (const part of begun(step)) parts.set(part.index, part);
  return progressed(task, target, [...parts.values()], store);
}

/** Records the progress after a part that is not the last one. Resolves with false if another worker has the lane. */
async function progressed(
  task: DeliveryTask,
  { opened }: SendTarget,
  parts: readonly KnownPart[],
  store: DeliveryStore,
): Promise<boolean> {
  if (opened !== undefined) await recorded(store.assignChatId(task.link.id, opened));
  return recorded(store.progress(task, parts));
}

interface Stage {
  readonly task: DeliveryTask;
  readonly connection: SendingConnection;
  readonly signal: AbortSignal;
  readonly gate: Gate;
}

/** Executes one write. Renews the lease during the write if its files may take longer than the lease. */
function executeStep(
  { task, connection, signal, gate }: Stage,
  { chatId, plan: { steps } }: SendTarget,
  step: PartStep,
  parts: ReadonlyMap<number, KnownPart>,
) {
  const key = stepKey(task, step);
  const to = destination(task, chatId);
  const reference = referenceTo(task, step, steps);
  const limitMs = writeLimitMs(task);
  const write = (stop: AbortSignal) =>
    callWithTimeout(
      (until) => connection.adapter.execute(step, { to, key, reference, signal: until }),
      limitMs,
      stop,
    );
  if (limitMs <= STEP_LIMIT_MS) return write(signal);
  return gate.keeping([...parts.values()], (lost) => {
    const stop = linkedSignal(signal, lost);
    return write(stop.signal).finally(stop.release);
  });
}
