import 'reflect-metadata';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { Supervisor } from '../connections/supervisor.js';
import type { Log } from '../core/common/log.js';
import { DeliveryWorker } from '../core/deliveries/delivery-worker.js';
import * as ports from '../core/modules/tokens.js';
import { phonePlatformsOf } from '../core/platforms/addresses.js';
import type { Simulator } from '../core/simulators/ports.js';
import { LocalFirstQueue } from '../queue/local-first-queue.js';
import { openQueue } from '../queue/open.js';
import { OutboxRelay } from '../queue/relay.js';
import { Notifications } from '../store/connection/notifications.js';
import { Housekeeping } from '../store/maintenance/housekeeping.js';
import { bootstrapOwner } from './access/bootstrap-owner.js';
import { Activity } from './background/activity.js';
import { DatabaseOutage } from './database-outage.js';
import { type ServeOptions, serve } from './http.js';
import { createInfrastructure } from './infrastructure.js';
import { watchMasterKey } from './startup/master-key.js';
import { warnOfMissingPublicUrl } from './startup/preflight.js';
import { releaseAllLeases } from './startup/release-leases.js';
import { type Stop, stopAll } from './stops.js';

/** A running service. */
export interface App {
  readonly url: string;
  /** The listening port. It may differ from the port of `url`, because a reverse proxy may be in front of the service. */
  readonly port: number | undefined;
  readonly container: Container;
  /** Resolves when the master key of this process was replaced by another one. */
  readonly keyLost: Promise<void>;
  /** Drains and stops all services in the reverse order of the start. */
  stop(): Promise<void>;
}

/** Starts the service: database, schema and functions, secrets, queue, live connections, workers, HTTP. */
export async function startApp(
  config: Config,
  log: Log,
  simulators: readonly Simulator[] = [],
): Promise<App> {
  const stops: Stop[] = [];
  try {
    return await start(config, log, stops, simulators);
  } catch (error) {
    await stopAll(stops, log);
    throw error;
  }
}

async function start(
  config: Config,
  log: Log,
  stops: Stop[],
  simulators: readonly Simulator[],
): Promise<App> {
  const outage = new DatabaseOutage(log);
  const infrastructure = await createInfrastructure(config, outage, stops);
  warnOfMissingPublicUrl(config, log);
  return serveWith({ ...infrastructure, simulators }, config, outage.log, stops);
}

async function serveWith(
  infrastructure: Awaited<ReturnType<typeof createInfrastructure>> & Pick<ServeOptions, 'simulators'>,
  config: Config,
  log: Log,
  stops: Stop[],
): Promise<App> {
  const { database, container, address } = infrastructure;
  await bootstrapOwner(container, config, log);
  await new Housekeeping(database.pool).declarePhonePlatforms(
    phonePlatformsOf(container.get(ports.InstalledPlatforms)),
  );
  // Only one process uses the embedded database, so no lease has a living holder.
  if (config.databaseUrl === undefined) await releaseAllLeases(container);
  const { notifications, keyLost } = await listenToOthers(infrastructure, log, stops);
  const supervisor = container.get(Supervisor);
  stops.push(() => supervisor.stop());
  const queue = new LocalFirstQueue(await openQueue({ redisUrl: config.redisUrl, database, log }), log);
  const relay = new OutboxRelay({ outbox: container.get(ports.Outbox), queue, log });
  stops.push(() => queue.close());
  stops.push(() => relay.stop());

  // Listen before anything connects, so that the public address is known. A later entry of `stops` stops HTTP first.
  const http = await serve({ config, log, notifications, relay, queue, ...infrastructure });
  stops.push(() => http.stop());
  const activity = new Activity({ config, log, notifications, queue, relay, supervisor, ...infrastructure });
  stops.push(() => activity.stop());
  await infrastructure.pause.whenOver(notifications, () => activity.start());
  stops.push(
    await infrastructure.observability.serve({ database, queue, container, outage: infrastructure.outage }),
  );
  stops.push(() => http.stop());
  // Stop taking new work before waiting for anything, because work in progress may use the whole time of a drain.
  stops.push(async () => {
    queue.stopAccepting();
    container.get(DeliveryWorker).stop();
  });
  const { url, current } = address;
  return { url, port: current?.port, container, keyLost, stop: () => stopAll(stops, log) };
}

/** Subscribes to notifications of other processes, such as a replaced master key. */
async function listenToOthers(
  { database, liveness, box }: Awaited<ReturnType<typeof createInfrastructure>>,
  log: Log,
  stops: Stop[],
): Promise<{ notifications: Notifications; keyLost: Promise<void> }> {
  const { connection, pool } = database;
  const notifications = new Notifications({ connection, pool, log, liveness });
  await notifications.start();
  stops.push(() => notifications.stop());
  let watching: Promise<void> | undefined;
  const keyLost = new Promise<void>((lost) => {
    watching = watchMasterKey({ database, box, notifications, log }, lost);
  });
  await watching;
  return { notifications, keyLost };
}
