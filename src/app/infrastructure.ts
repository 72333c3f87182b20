import { hkdfSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.js';
import { JoinTokens } from '../core/calls/join-token.js';
import { createGuard } from '../outgoing/guard.js';
import { type Database, openDatabase } from '../store/connection/database.js';
import { ProcessLiveness } from '../store/connection/process-liveness.js';
import { openReaders } from '../store/connection/workspace-reads.js';
import { install } from '../store/install.js';
import { Housekeeping } from '../store/maintenance/housekeeping.js';
import { Installation } from '../store/maintenance/installation.js';
import { InstallationSecretBox } from '../store/secrets/installation-secret-box.js';
import { checkMasterKey, loadSecretBox } from '../store/secrets/master-key.js';
import { isSettled } from '../store/secrets/rotation.js';
import { watchAdapters } from '../watchdog/start.js';
import { setupTokenFor } from './access/setup-token.js';
import { loadAdapterPackages } from './adapter-packages.js';
import { QueueDispatcher } from './background/queue-dispatcher.js';
import { createContainer } from './container.js';
import type { DatabaseOutage } from './database-outage.js';
import { startObservability } from './observability.js';
import { Pause } from './pause.js';
import { masterKeySource, warnOfRotation } from './startup/master-key.js';
import type { Stop } from './stops.js';
import { version } from './version.js';

/** Creates what all services need: database, secrets, the guarded HTTP client and the container. */
export async function createInfrastructure(config: Config, outage: DatabaseOutage, stops: Stop[]) {
  const { log } = outage;
  const { dataDir, databaseUrl, adapters, logFile } = config;
  const watched = watchAdapters({ dataDir, log, logFile, role: config.roles.join(',') });
  stops.push(() => watched.watchdog.stop());
  const folder = process.cwd();
  const packaged = await loadAdapterPackages({ adapters, folder, log, watch: watched.packages });
  const database = await openDatabase({ databaseUrl, dataDir, log });
  stops.push(() => database.stop());
  outage.start(() => pingForWrites(database));
  stops.push(async () => outage.stop());
  await install(database.pool, { log, release: version });
  const pause = new Pause(new Installation(database.pool, database.location), log);
  await pause.begin(config.paused);
  const observability = await startObservability(config, database, log);
  stops.push(() => observability.stop());
  stops.push(await openReaders(database.pool, database.openReaderPool, log));
  const box = await loadSecretBox(masterKeySource(config));
  const keys = await checkMasterKey(database.pool, box);
  warnOfRotation(config, !isSettled(keys, box), log);
  // Sign links and cursors with the key that all processes derive, even while some processes already have the next master key.
  const masterKey = box.keyOf(keys.sealing);
  const secrets = new InstallationSecretBox(database.pool, box);
  const address: { current: AddressInfo | undefined; url: string } = { current: undefined, url: '' };
  const dispatcher = new QueueDispatcher();
  const liveness = new ProcessLiveness();
  const guard = createGuard({
    allowPrivateTargets: config.allowPrivateTargets,
    ownAddress: () => address.current && { host: address.current.address, port: address.current.port },
  });
  stops.push(() => guard.close());
  const container = createContainer({
    config,
    log,
    observability,
    packaged,
    holds: watched.holds,
    database,
    secrets,
    guard,
    dispatcher,
    liveness,
    joinTokens: new JoinTokens(Buffer.from(hkdfSync('sha256', masterKey, '', 'join tokens', 32))),
    setupToken: setupTokenFor(config, masterKey),
    publicUrl: () => address.url,
  });
  const own = { database, masterKey, box, guard, container, address };
  return { ...own, observability, dispatcher, liveness, outage, pause };
}

/** Rejects while the database does not answer, is read-only, or refuses new connections. */
async function pingForWrites(database: Database): Promise<void> {
  await Promise.all([new Housekeeping(database.pool).pingForWrites(), database.checkNewConnections()]);
}
