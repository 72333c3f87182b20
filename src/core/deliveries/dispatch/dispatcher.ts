import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clock } from '../../../contract/clock.js';
import { PrioritySemaphore } from '../../common/priority-semaphore.js';
import { Stopwatch } from '../../common/stopwatch.js';
import type { AccountRate } from '../../rates/rates.js';
import type { SendingConnection } from '../ports.js';
import type { DeliveryTask } from '../task.js';
import { TIMEOUT_MS } from './account-pauses.js';
import { AttemptOpener } from './attempt-opener.js';
import { ClaimSchedule } from './claim-schedule.js';
import { LaneLease } from './lane-lease.js';
import { maxWritesOf, openAheadOf, refillAtOf, wanted } from './lease-sizes.js';
import { LeasedTasks } from './leased-tasks.js';
import type { Leased } from './local-handoff.js';
import { PreSendCheck } from './pre-send-check.js';
import type { DispatchServices } from './services.js';
import { once, TaskRun } from './task-run.js';

/** Concurrent uploads of large files. More would share the same bandwidth, and each would exceed its time limit. */
const LARGE_AT_ONCE = 8;

/**
 * Sends the due deliveries of one connection: leases lanes and runs their tasks within the limits of the connection. A
 * process has at most one dispatcher per connection. Several processes share a connection through the leases of its
 * lanes.
 */
export class Dispatcher {
  readonly schedule: ClaimSchedule;
  readonly leased: LeasedTasks;
  /** The number of concurrent writes. */
  readonly maxWrites: number;
  /** Slots for writes, and for writes with large files. */
  readonly slots: PrioritySemaphore;
  readonly uploads = new PrioritySemaphore(LARGE_AT_ONCE);
  readonly preSendCheck: PreSendCheck;
  readonly opener: AttemptOpener;
  /** The duration of the last write. */
  writeMs = 0;

  /** `isReminded`: whether to claim due work. Otherwise only tasks that were leased when they were stored are sent. */
  constructor(
    readonly connectionId: string,
    private readonly services: DispatchServices,
    private readonly signal: AbortSignal,
    isReminded: boolean,
  ) {
    const account = services.connections.find(connectionId)?.account ?? null;
    this.schedule = new ClaimSchedule(isReminded);
    this.leased = new LeasedTasks(this.schedule.wake);
    this.maxWrites = maxWritesOf(account);
    this.slots = new PrioritySemaphore(this.maxWrites);
    this.preSendCheck = new PreSendCheck(services.store);
    this.opener = new AttemptOpener(services.store, openAheadOf(account));
  }

  /** The number of unfinished tasks. */
  get unfinished(): number {
    return this.leased.unfinished;
  }

  /** The number of tasks that wait for their first write. */
  get waiting(): number {
    return this.leased.waiting;
  }

  get reminded(): boolean {
    return this.schedule.reminded;
  }

  /** Resolves when no more work is due. Rejects when work could not be claimed. */
  async run(): Promise<void> {
    const { connectionId, schedule, services } = this;
    while ((schedule.again || services.handoff.has(connectionId)) && !this.#isEnding) {
      schedule.again = false;
      await this.#drain();
    }
  }

  get #isEnding(): boolean {
    return this.signal.aborted || this.services.isStopping();
  }

  async #drain(): Promise<void> {
    // Each write in progress adds a listener.
    setMaxListeners(0, this.signal);
    try {
      await this.#lease();
    } finally {
      // This also applies after a failed claim. The next dispatcher has all slots, and writes in progress here would
      // exceed them.
      await this.leased.all();
    }
  }

  /** Leases and begins tasks until no more work is due. */
  async #lease(): Promise<void> {
    const { connectionId, schedule, services, signal } = this;
    while (!this.#isEnding) {
      const connection = services.connections.find(connectionId);
      if (connection === undefined) {
        await services.handoff.release(connectionId);
        break;
      }
      for (const leased of this.#takeHandedOver()) this.#begin(leased, connection);
      if (await services.pauses.holdsBack(connectionId, connection, signal)) break;
      const { finished } = this.leased;
      const leased = await this.#claim(connection.account);
      this.#begin(leased, connection);
      if (leased.tasks.length > 0 || services.handoff.has(connectionId)) continue;
      // Tasks that finished during the claim freed their lanes too late for it.
      if (this.leased.finished > finished) continue;
      if (this.unfinished > 0) {
        // New work also ends the wait, so that a chat that hangs does not delay others.
        await schedule.change(services.rates.knownNextRoomMs(connectionId));
        // Results of one batch free their slots together.
        await nextTurn();
      } else if (!(await this.#awaitCapacity())) break;
    }
  }

  #begin({ tasks, askedAt }: Leased, connection: SendingConnection): void {
    for (const task of tasks) {
      const lease = new LaneLease(task, this.services.store, askedAt);
      const onFirst = once(() => this.leased.began());
      const { signal } = this;
      const run = new TaskRun(this, this.services, { connection, signal, task, lease, onFirst });
      this.leased.follow(run.perform());
    }
  }

  #takeHandedOver(): readonly Leased[] {
    const handed = this.services.handoff.takeAll(this.connectionId);
    for (const { tasks, askedAt } of handed) this.#add(tasks, clock.now() - askedAt.passedMs);
    return handed;
  }

  async #claim(account: AccountRate | null): Promise<Leased> {
    const { connectionId, opener, schedule, services, slots } = this;
    const askedAt = new Stopwatch();
    this.leased.refillAt = refillAtOf(account);
    const { maxLanes, urgent } = wanted(this, account);
    schedule.reminded = false;
    schedule.again = false;
    if (maxLanes <= 0 || !schedule.due) return { tasks: [], askedAt };
    const claimedAt = clock.now();
    const tasks = await schedule.claiming(() =>
      services.store.claim(connectionId, maxLanes, { urgent, atOnce: opener.atOnce(slots.free) }),
    );
    if (tasks.length >= maxLanes || urgent) schedule.due = true;
    this.#add(tasks, claimedAt);
    return { tasks, askedAt };
  }

  /** `at`: when the tasks were leased, by `clock.now()`. */
  #add(tasks: readonly DeliveryTask[], at: number): void {
    this.opener.leased(tasks);
    const sends = tasks.filter(({ operation }) => operation === 'send');
    this.preSendCheck.leased(
      sends.map(({ delivery_id: id }) => id),
      at,
    );
    this.leased.add(tasks);
  }

  /** Waits until a chat without capacity may be written to again. Resolves with false if no chat has waiting work. */
  async #awaitCapacity(): Promise<boolean> {
    const { connectionId, schedule, services } = this;
    // A dispatcher that has not claimed anything knows all chats that it left without capacity.
    const waitMs =
      schedule.claimedAt > 0
        ? await services.rates.nextRoomMs(connectionId)
        : services.rates.knownNextRoomMs(connectionId);
    if (waitMs === undefined) return schedule.reminded;
    if (waitMs > TIMEOUT_MS) {
      await services.reminders.remind(connectionId, clock.now() + waitMs);
      return schedule.reminded;
    }
    if (!services.handoff.has(connectionId)) await schedule.change(Math.max(0, waitMs));
    return true;
  }
}
