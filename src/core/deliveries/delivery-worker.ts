import type { Log } from '../common/log.js';
import type { Rates } from '../rates/rates.js';
import { AccountPauses } from './dispatch/account-pauses.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { LocalCapacity } from './dispatch/local-capacity.js';
import { type Leased, LocalHandoff } from './dispatch/local-handoff.js';
import { Reminders } from './dispatch/reminders.js';
import { ResultBatcher } from './dispatch/result-batcher.js';
import type { DispatchServices } from './dispatch/services.js';
import { PlatformErrorEffects } from './platform-error-effects.js';
import {
  type DeliveryStore,
  noJournal,
  type SendingConnections,
  type WakeUps,
  type WriteJournal,
} from './ports.js';
import { noopTelemetry, type Telemetry } from './telemetry.js';

/**
 * Sends due deliveries, with one dispatcher per connection that has work. Any number of workers may send on the same
 * connection, because each lane has one lease.
 */
export class DeliveryWorker {
  readonly capacity: LocalCapacity;
  readonly errorEffects: PlatformErrorEffects;
  readonly #dispatchers = new Map<string, Dispatcher>();
  readonly #services: DispatchServices;
  readonly #handoff: LocalHandoff;
  #stopping = false;

  constructor(
    store: DeliveryStore,
    connections: SendingConnections,
    wakeUps: WakeUps,
    private readonly rates: Rates,
    log: Log,
    telemetry: Telemetry = noopTelemetry,
    journal: WriteJournal = noJournal,
  ) {
    const pauses = new AccountPauses(wakeUps);
    const results = new ResultBatcher(store);
    this.#handoff = new LocalHandoff(results, log);
    this.capacity = new LocalCapacity(this.#dispatchers, connections, pauses, this.#handoff);
    this.errorEffects = new PlatformErrorEffects({ store, connections, wakeUps, rates, pauses, log });
    this.#services = {
      ...{ store, connections, rates, pauses, results, journal, telemetry, log },
      handoff: this.#handoff,
      reminders: new Reminders(wakeUps),
      errorEffects: this.errorEffects,
      isStopping: () => this.#stopping,
    };
  }

  /** Whether the connection has a dispatcher. If it has one, a call of `run` only notifies that dispatcher. */
  isRunning(connectionId: string): boolean {
    return this.#dispatchers.has(connectionId);
  }

  /** Stops leasing. Writes in progress are finished and recorded. Waiting tasks are released. */
  stop(): void {
    this.#stopping = true;
    this.capacity.close();
    this.rates.release();
  }

  /**
   * Adds tasks that were leased when they were stored. Returns false if the connection has no dispatcher; then call
   * `runHandoff`.
   */
  enqueueLeased(connectionId: string, leased: Leased): boolean {
    this.#handoff.add(connectionId, leased);
    const current = this.#dispatchers.get(connectionId);
    current?.schedule.wake();
    return current !== undefined;
  }

  /** Releases handed-over tasks that have not begun. They are due again immediately, and no attempt is counted. */
  releaseHandoff(connectionId: string): Promise<void> {
    return this.#handoff.release(connectionId);
  }

  /**
   * Reports work in lanes of these links. Returns false if a claim is needed. Otherwise the dispatcher holds the lanes
   * and claims when it frees them.
   */
  expect(connectionId: string, links: readonly string[]): boolean {
    const current = this.#dispatchers.get(connectionId);
    if (current === undefined || !links.every((link) => current.leased.lanes.has(link))) return false;
    current.schedule.expect();
    return true;
  }

  /** Resolves when no more work is due. A call while a dispatcher runs makes that dispatcher claim once more. */
  async run(connectionId: string, signal: AbortSignal): Promise<void> {
    const current = this.#dispatchers.get(connectionId);
    if (current !== undefined) current.schedule.remind();
    else await this.#run(connectionId, signal, true);
  }

  /** Like `run`, but only for handed-over tasks: it does not claim more work. */
  async runHandoff(connectionId: string, signal: AbortSignal): Promise<void> {
    const current = this.#dispatchers.get(connectionId);
    if (current !== undefined) current.schedule.wake();
    else await this.#run(connectionId, signal, false);
  }

  async #run(connectionId: string, signal: AbortSignal, isReminder: boolean): Promise<void> {
    this.#handoff.note(connectionId);
    const dispatcher = new Dispatcher(connectionId, this.#services, signal, isReminder);
    this.#dispatchers.set(connectionId, dispatcher);
    try {
      await dispatcher.run();
    } finally {
      this.#dispatchers.delete(connectionId);
      await this.#handoff.release(connectionId);
    }
  }
}
