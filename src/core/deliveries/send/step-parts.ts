import {
  type PartPlace,
  type PartStep,
  type RemoteMessageId,
  type RemoteThreadId,
  remoteThreadId,
} from '../../../contract/index.js';
import type { DeliveryTask, KnownPart, PlannedTask } from '../task.js';

/** The parts that one write creates or changes: one part, or one per file of an album. */
export function placesOf({ index, kind, others = [] }: PartStep): readonly PartPlace[] {
  return [{ index, kind }, ...others];
}

/** The ids that the platform returned for a write: the first part, and the others. */
interface WrittenIds {
  readonly remoteId?: RemoteMessageId;
  readonly otherIds?: readonly RemoteMessageId[];
  /** The thread that contains the message. If absent, it is the thread that the task writes to. */
  readonly threadId?: RemoteThreadId | null;
}

/** The parts of a completed step. A part without a returned id keeps its previous id. */
export function partsAfter(
  task: DeliveryTask,
  step: PartStep,
  { remoteId, otherIds = [], threadId = threadOf(task) }: WrittenIds,
  known: ReadonlyMap<number, KnownPart> = new Map(),
): KnownPart[] {
  const ids = [remoteId, ...otherIds];
  return placesOf(step).map(({ index, kind }, place) => ({
    index,
    kind,
    status: step.action === 'remove' ? 'removed' : 'sent',
    external_id: ids[place] ?? known.get(index)?.external_id ?? null,
    ...(threadId === null ? {} : { thread: threadId }),
  }));
}

/** The thread that a task writes to. */
export function threadOf({
  link,
  external_thread_id,
}: Pick<PlannedTask, 'link' | 'external_thread_id'>): RemoteThreadId | null {
  const thread = link.external_thread_id ?? external_thread_id ?? null;
  return thread === null ? null : remoteThreadId(thread);
}

/** The parts that later steps of a send will create, recorded together with existing parts. */
export function awaited(steps: readonly PartStep[], known: ReadonlyMap<number, KnownPart>): KnownPart[] {
  return steps
    .flatMap(placesOf)
    .filter(({ index }) => !known.has(index))
    .map((place) => ({ ...place, status: 'pending', external_id: null }));
}

/** The parts of a completed send, without planned parts that an edit has removed. */
export function completed(parts: Iterable<KnownPart>): KnownPart[] {
  return [...parts].map((part) => (part.status === 'pending' ? { ...part, status: 'removed' } : part));
}
