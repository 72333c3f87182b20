import 'reflect-metadata';
import { hkdfSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Container } from 'inversify';
import { Activity } from './activity.js';
import { loadAdapterPackages } from './adapter-packages.js';
import { bootstrapOwner } from './bootstrap-owner.js';
import { compose } from './compose.js';
import type { Config } from './config.js';
import { Supervisor } from './connections/supervisor.js';
import { JoinTokens } from './core/calls/join-token.js';
import { Deliver } from './core/deliveries/deliver.js';
import { phonePlatformsOf } from './core/platforms/addresses.js';
import type { Log } from './core/ports/log.js';
import * as ports from './core/ports/tokens.js';
import { DatabaseOutage } from './database-outage.js';
import { createGuard } from './outgoing/guard.js';
import { Pause } from './pause.js';
import { preflight, warnOfMissingPublicUrl } from './preflight.js';
import { NearQueue } from './queue/near-queue.js';
import { openQueue } from './queue/open.js';
import { OutboxRelay } from './queue/relay.js';
import { releaseAllLeases } from './release-leases.js';
import { LocalSenders } from './senders.js';
import { serve } from './serve.js';
import { setupTokenFor } from './setup-token.js';
import { type Stop, stopAll } from './stops.js';
import { openDatabase } from './store/connection/database.js';
import { Notifications } from './store/connection/notifications.js';
import { ProcessLiveness } from './store/connection/process-liveness.js';
import { openReaders } from './store/connection/workspace-reads.js';
import { install } from './store/install.js';
import { Housekeeping } from './store/maintenance/housekeeping.js';
import { Installation } from './store/maintenance/installation.js';
import { checkMasterKey, loadMasterKey } from './store/secrets/master-key.js';
import { AesSecretBox } from './store/secrets/secret-box.js';
import { version } from './version.js';
import { watchAdapters } from './watchdog/start.js';
import { startWatching } from './watching.js';

/** A running service. */
export interface App {
  readonly url: string;
  /** The port that it listens on, which `url` need not name: another server may stand in front of it. */
  readonly port: number | undefined;
  readonly container: Container;
  /** Drains and stops everything, in the reverse order of the start. */
  stop(): Promise<void>;
}

/** Starts the service: database, schema and functions, secrets, queue, live connections, workers, HTTP. */
export async function startApp(config: Config, log: Log): Promise<App> {
  const stops: Stop[] = [];
  try {
    return await start(config, log, stops);
  } catch (error) {
    await stopAll(stops, log);
    throw error;
  }
}

async function start(config: Config, log: Log, stops: Stop[]): Promise<App> {
  await preflight(config);
  const outage = new DatabaseOutage(log);
  const ground = await openGround(config, outage, stops);
  warnOfMissingPublicUrl(config, log);
  return serveWith(ground, config, outage.log, stops);
}

async function serveWith(
  ground: Awaited<ReturnType<typeof openGround>>,
  config: Config,
  log: Log,
  stops: Stop[],
): Promise<App> {
  const { database, container, address } = ground;
  await bootstrapOwner(container, config, log);
  await new Housekeeping(database.pool).declarePhonePlatforms(
    phonePlatformsOf(container.get(ports.InstalledPlatforms)),
  );
  // The embedded database belongs to one process.
  if (config.databaseUrl === undefined) await releaseAllLeases(container);
  const notifications = new Notifications({
    connection: database.connection,
    pool: database.pool,
    log,
    liveness: ground.liveness,
  });
  await notifications.start();
  stops.push(() => notifications.stop());
  const supervisor = container.get(Supervisor);
  stops.push(() => supervisor.stop());
  const queue = new NearQueue(await openQueue({ redisUrl: config.redisUrl, database, log }), log);
  const relay = new OutboxRelay({ outbox: container.get(ports.Outbox), queue, log });
  stops.push(() => queue.close());
  stops.push(() => relay.stop());

  // It listens before anything connects, so that the public address is known; it is the first to stop.
  const http = await serve({ config, log, notifications, relay, queue, ...ground });
  stops.push(() => http.stop());
  const activity = new Activity({ config, log, notifications, queue, relay, supervisor, ...ground });
  stops.push(() => activity.stop());
  await ground.pause.whenOver(notifications, () => activity.start());
  stops.push(await ground.watching.serve({ database, queue, container, outage: ground.outage }));
  stops.push(() => http.stop());
  // Before anything is waited for: what is in hand may take as long as a drain may.
  stops.push(async () => {
    queue.retire();
    container.get(Deliver).stop();
  });
  return { url: address.url, port: address.current?.port, container, stop: () => stopAll(stops, log) };
}

/** What everything else stands on: database, secrets, the way out, and the container over them. */
async function openGround(config: Config, outage: DatabaseOutage, stops: Stop[]) {
  const { log } = outage;
  const { dataDir, databaseUrl, adapters } = config;
  const watched = watchAdapters({ dataDir, log });
  stops.push(() => watched.watchdog.stop());
  const folder = process.cwd();
  const packaged = await loadAdapterPackages({ adapters, folder, log, watch: watched.packages });
  const database = await openDatabase({ databaseUrl, dataDir, log });
  stops.push(() => database.stop());
  const housekeeping = new Housekeeping(database.pool);
  outage.start(() => housekeeping.ping());
  stops.push(async () => outage.stop());
  await install(database.pool, { log, release: version });
  const pause = new Pause(new Installation(database.pool, database.place), log);
  await pause.begin(config.paused);
  const watching = await startWatching(config, database, log);
  stops.push(() => watching.stop());
  stops.push(await openReaders(database.pool, database.openReaderPool, log));
  const masterKey = await loadMasterKey({ configured: config.masterKey, dataDir });
  const secrets = new AesSecretBox(masterKey);
  await checkMasterKey(database.pool, secrets);
  const address: { current: AddressInfo | undefined; url: string } = { current: undefined, url: '' };
  const senders = new LocalSenders();
  const liveness = new ProcessLiveness();
  const guard = createGuard({
    allowPrivateTargets: config.allowPrivateTargets,
    ownAddress: () => address.current && { host: address.current.address, port: address.current.port },
  });
  stops.push(() => guard.close());
  const container = compose({
    config,
    log,
    watching,
    packaged,
    holds: watched.holds,
    database,
    secrets,
    guard,
    senders,
    liveness,
    joinTokens: new JoinTokens(Buffer.from(hkdfSync('sha256', masterKey, '', 'join tokens', 32))),
    setupToken: setupTokenFor(config, masterKey),
    publicUrl: () => address.url,
  });
  return { database, masterKey, guard, container, address, watching, senders, liveness, outage, pause };
}
