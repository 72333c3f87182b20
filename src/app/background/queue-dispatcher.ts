import type { Stopwatch } from '../../core/common/stopwatch.js';
import type { DeliveryWorker } from '../../core/deliveries/delivery-worker.js';
import type { Lane, LocalDispatcher } from '../../core/deliveries/dispatch/local-dispatcher.js';
import type { DeliveryTask } from '../../core/deliveries/task.js';
import type { LocalFirstQueue } from '../../queue/local-first-queue.js';

interface Open {
  readonly deliver: DeliveryWorker;
  readonly queue: LocalFirstQueue;
}

/** Passes deliveries that were stored in this process to its delivery workers. There are no workers before the queue is open. */
export class QueueDispatcher implements LocalDispatcher {
  #open: Open | undefined;

  open(parts: Open): void {
    this.#open = parts;
  }

  ready(): readonly string[] {
    return this.#open?.deliver.capacity.ready() ?? [];
  }

  capacities(): Readonly<Record<string, number>> {
    return this.#open?.deliver.capacity.ahead() ?? {};
  }

  async awaitCapacity(connectionId: string, least: number, maxWaitMs: number): Promise<void> {
    await this.#open?.deliver.capacity.awaitAhead(connectionId, least, maxWaitMs);
  }

  async take(tasks: readonly DeliveryTask[], askedAt: Stopwatch): Promise<void> {
    for (const [connectionId, leased] of byConnection(tasks)) {
      await this.#hand(connectionId, { tasks: leased, askedAt });
    }
  }

  wake(lanes: readonly Lane[]): void {
    for (const [connectionId, waiting] of byConnection(lanes)) {
      const links = waiting.map((lane) => lane.link_id);
      if (!this.#open?.deliver.expect(connectionId, links))
        this.#open?.queue.offer('deliver', { connection_id: connectionId });
    }
  }

  async #hand(connectionId: string, leased: Parameters<DeliveryWorker['enqueueLeased']>[1]): Promise<void> {
    if (this.#open === undefined) return;
    const { deliver, queue } = this.#open;
    if (deliver.enqueueLeased(connectionId, leased)) return;
    if (!queue.start('deliver', { connection_id: connectionId, handed: 'true' }))
      await deliver.releaseHandoff(connectionId);
  }
}

function byConnection<Item extends { readonly connection_id: string }>(items: readonly Item[]) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.connection_id);
    if (group === undefined) groups.set(item.connection_id, [item]);
    else group.push(item);
  }
  return groups;
}
