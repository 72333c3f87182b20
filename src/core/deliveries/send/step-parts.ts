import {
  type PartPlace,
  type PartStep,
  type RemoteMessageId,
  type RemoteThreadId,
  remoteThreadId,
} from '../../../contract/index.js';
import type { DeliveryTask, KnownPart, PlannedTask } from '../task.js';

/** The parts that one write makes or changes; most write one, an album one per file. */
export function placesOf({ index, kind, others = [] }: PartStep): readonly PartPlace[] {
  return [{ index, kind }, ...others];
}

/** What the platform said of a write: the id of its first part, and those of the others. */
interface WrittenIds {
  readonly remoteId?: RemoteMessageId;
  readonly otherIds?: readonly RemoteMessageId[];
  /** Absent: where the task was to write it. */
  readonly threadId?: RemoteThreadId | null;
}

/** The parts of a step once it is done. A part whose id the platform did not tell keeps the one it had. */
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

/** The thread in which a task writes. */
export function threadOf({
  link,
  external_thread_id,
}: Pick<PlannedTask, 'link' | 'external_thread_id'>): RemoteThreadId | null {
  const thread = link.external_thread_id ?? external_thread_id ?? null;
  return thread === null ? null : remoteThreadId(thread);
}

/** The parts that these steps of a send have still to make, as they are recorded with those that exist. */
export function awaited(steps: readonly PartStep[], known: ReadonlyMap<number, KnownPart>): KnownPart[] {
  return steps
    .flatMap(placesOf)
    .filter(({ index }) => !known.has(index))
    .map((place) => ({ ...place, status: 'pending', external_id: null }));
}

/** The parts of a send that is complete: what it was to have more once, before it was edited, is none. */
export function completed(parts: Iterable<KnownPart>): KnownPart[] {
  return [...parts].map((part) => (part.status === 'pending' ? { ...part, status: 'removed' } : part));
}
