import type { Container } from 'inversify';
import type { Config } from '../../config.js';
import type { Supervisor } from '../../connections/supervisor.js';
import { RunBroadcastChanges } from '../../core/broadcasts/changes/run.js';
import type { Log } from '../../core/common/log.js';
import { RunContactImports } from '../../core/contact-imports/run.js';
import { DeliveryWorker } from '../../core/deliveries/delivery-worker.js';
import { EventStreams } from '../../core/events/streams.js';
import { RefreshGuides } from '../../core/extras/tv/refresh.js';
import { FetchMedia } from '../../core/media/fetch-media.js';
import * as ports from '../../core/modules/tokens.js';
import { SendPushes } from '../../core/notifications/run.js';
import type { LocalFirstQueue } from '../../queue/local-first-queue.js';
import type { OutboxRelay } from '../../queue/relay.js';
import type { Database } from '../../store/connection/database.js';
import type { Notifications } from '../../store/connection/notifications.js';
import { SearchIndexer } from '../../store/listing/search-indexer.js';
import { Housekeeping } from '../../store/maintenance/housekeeping.js';
import { Retention } from '../../store/maintenance/retention.js';
import { reportBacklog } from '../../store/maintenance/service-faults.js';
import { DeliverDue } from '../../webhooks/deliver-due.js';
import { type Stop, stopAll } from '../stops.js';
import { watchBacklog } from './backlog-alarm.js';
import { expirySweeper } from './expiry.js';
import { GuideRefresher } from './guides.js';
import type { QueueDispatcher } from './queue-dispatcher.js';
import { Sweeper } from './sweeper.js';
import { sweeps } from './sweeps.js';
import { work } from './workers.js';

export interface ActivityParts {
  readonly config: Config;
  readonly log: Log;
  readonly container: Container;
  readonly database: Database;
  readonly notifications: Notifications;
  readonly queue: LocalFirstQueue;
  readonly relay: OutboxRelay;
  readonly supervisor: Supervisor;
  readonly dispatcher: QueueDispatcher;
}

/** The background work of the service: it reads platforms, sends messages, notifies receivers, runs timers and cleans up. */
export class Activity {
  readonly #stops: Stop[] = [];
  #stopping = false;

  constructor(private readonly parts: ActivityParts) {}

  async start(): Promise<void> {
    const { config, log, container, database, notifications, queue, relay, supervisor, dispatcher } =
      this.parts;
    if (this.#stopping) return;
    dispatcher.open({ queue, deliver: container.get(DeliveryWorker) });
    relay.start();
    await notifications.listen('connections', () => void supervisor.poll());
    notifications.onReconnect(() => void supervisor.poll());
    await supervisor.start();
    if (config.roles.includes('worker')) {
      this.#startWork();
      await this.#startGuides();
    }
    const alarm = watchBacklog(
      () => new Housekeeping(database.pool).backlog(),
      log,
      (late, seconds) => reportBacklog(database.pool, late, seconds),
    );
    alarm.start();
    this.#stops.push(() => alarm.stop());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await stopAll(this.#stops, this.parts.log);
  }

  /** On stop, workers first stop taking new work and finish the tasks in progress. Then the queue closes. */
  #startWork(): void {
    const { config, log, container, database, queue } = this.parts;
    work(queue, container, this.#announcer());
    const maintenance = {
      housekeeping: new Housekeeping(database.pool),
      retention: new Retention(database.pool, config.retain),
      searchIndexer: new SearchIndexer(database.pool),
    };
    const sweepers = [
      new Sweeper(sweeps(container, maintenance), log),
      expirySweeper(container.get(ports.DeliveryStore), container.get(ports.ApiKeyStore), log),
    ];
    for (const sweeper of sweepers) sweeper.start();
    this.#stops.push(() => container.get(DeliverDue).stop());
    this.#stops.push(() => container.get(FetchMedia).stop());
    this.#stops.push(() => container.get(RunContactImports).stop());
    this.#stops.push(() => container.get(RunBroadcastChanges).stop());
    this.#stops.push(() => container.get(SendPushes).stop());
    for (const sweeper of sweepers) this.#stops.push(() => sweeper.stop());
  }

  /** Wakes the event streams of this process. With a database server, it also wakes those of other processes. */
  #announcer(): () => void {
    const { config, container, notifications } = this.parts;
    const streams = container.get(EventStreams);
    if (config.databaseUrl === undefined) return () => streams.wake();
    return () => {
      streams.wake();
      notifications.hint('events');
    };
  }

  /** Refreshes the television guide. Only worker processes do this. */
  async #startGuides(): Promise<void> {
    const { config, log, container } = this.parts;
    const store = container.get(ports.TvStore);
    const refresh = new RefreshGuides(store, container.get(ports.GuideOpener), log, config.tv.refreshMinutes);
    const refresher = new GuideRefresher(refresh, store, log);
    this.#stops.push(() => refresher.stop());
    await refresher.start(config.tv.sources);
  }
}
