import { Container, ContainerModule } from 'inversify';
import { bundledAdapters, sandboxMessageEnvelope } from '../../adapters/index.js';
import type { Config } from '../config.js';
import { AdapterContribution, connectionsModule } from '../connections/module.js';
import type { JoinTokens } from '../core/calls/join-token.js';
import type { Log } from '../core/common/log.js';
import { Receive } from '../core/inbound/receive.js';
import { OpenMedia } from '../core/media/open-media.js';
import { coreModules } from '../core/modules/index.js';
import * as ports from '../core/modules/tokens.js';
import { present } from '../core/versions/present.js';
import { recordType } from '../core/webhooks/record-type.js';
import { mediaModule } from '../media/module.js';
import { GuardedDownloads } from '../outgoing/downloads.js';
import { GuardedGuideOpener } from '../outgoing/extras/guide-opener.js';
import { LibreTranslate } from '../outgoing/extras/libre-translate.js';
import type { Guard } from '../outgoing/guard.js';
import type { Database } from '../store/connection/database.js';
import { PROCESS_ID } from '../store/connection/process-id.js';
import type { ProcessLiveness } from '../store/connection/process-liveness.js';
import { FileWriteJournal } from '../store/deliveries/write-journal.js';
import { storeModule } from '../store/module.js';
import type { InstallationSecretBox } from '../store/secrets/installation-secret-box.js';
import type { RecordedHolds } from '../watchdog/adapter-holds.js';
import { webhooksModule } from '../webhooks/module.js';
import { TotpCodes } from './access/one-time-codes.js';
import { OpenIdProvider } from './access/openid-provider.js';
import { Argon2Passwords } from './access/passwords.js';
import type { LoadedPackages } from './adapter-packages.js';
import type { QueueDispatcher } from './background/queue-dispatcher.js';
import { type Observability, receiveObserved } from './observability.js';
import { version } from './version.js';

/** Must match the retention in `purge_history`. */
const KEPT_EVENTS_DAYS = 45;

/** The values of the container in addition to the modules. */
export interface Parts {
  readonly config: Config;
  readonly log: Log;
  readonly observability: Observability;
  readonly packaged: LoadedPackages;
  readonly holds: RecordedHolds;
  readonly database: Database;
  readonly secrets: InstallationSecretBox;
  readonly guard: Guard;
  readonly dispatcher: QueueDispatcher;
  readonly liveness: ProcessLiveness;
  readonly joinTokens: JoinTokens;
  readonly setupToken: string | undefined;
  readonly publicUrl: () => string;
}

/** Binds every area and every adapter, bundled or from a package. */
export function createContainer(parts: Parts): Container {
  const {
    config,
    log,
    observability,
    packaged,
    holds,
    database,
    secrets,
    guard,
    dispatcher,
    liveness,
    publicUrl,
  } = parts;
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(
    ownBindings(parts),
    storeModule(
      database.pool,
      secrets,
      dispatcher,
      liveness,
      new FileWriteJournal(config.dataDir, PROCESS_ID, log),
    ),
    ...coreModules,
    mediaModule(config.dataDir, config.mapFile, log),
    webhooksModule({ version, presentData: (type, data) => present(recordType(type), data, '2.0') }),
    connectionsModule(() => container.getAll(AdapterContribution), packaged, {
      ingress: config.roles.includes('gateway'),
      holds,
      receive: receiveObserved(() => container.get(Receive), observability.telemetry),
      fetch: ((input, init) => guard.fetch(input, init)) as typeof fetch,
      assertTarget: (url) => guard.assertTarget(url),
      openMedia: (connectionId, ref) => container.get(OpenMedia).forConnection(connectionId, ref),
      publicUrl,
    }),
    ...bundledAdapters,
    ...packaged.modules,
  );
  holds.compareReleases(container.get(ports.InstalledPlatforms));
  for (const { adapter, platform, reason } of container.get(ports.InstalledPlatforms).refused) {
    log.error({ adapter, platform: platform?.platform, reason }, 'adapter.refused');
  }
  return container;
}

/** Bindings that no area provides itself. */
function ownBindings({ config, log, observability, guard, joinTokens, setupToken, publicUrl }: Parts) {
  return new ContainerModule(({ bind }) => {
    bind(ports.Log).toConstantValue(log);
    bind(ports.Telemetry).toConstantValue(observability.telemetry);
    bind(ports.Passwords).toConstantValue(new Argon2Passwords());
    bind(ports.OneTimeCodes).toConstantValue(new TotpCodes());
    bind(ports.IdentityProvider).toConstantValue(config.openId && new OpenIdProvider(config.openId, guard));
    bind(ports.PublicUrl).toConstantValue(publicUrl);
    bind(ports.TargetGuard).toConstantValue(guard);
    bind(ports.OutgoingRequests).toConstantValue(guard);
    bind(ports.GuideOpener).toConstantValue(new GuardedGuideOpener(guard));
    bind(ports.Translator).toConstantValue(new LibreTranslate(config.translation, guard, log));
    bind(ports.InstallationRetention).toConstantValue({ ...config.retain, events: KEPT_EVENTS_DAYS });
    bind(ports.MarketingCap).toConstantValue(config.marketingCap);
    bind(ports.MediaDownloads).toConstantValue(new GuardedDownloads(guard));
    bind(ports.JoinTokens).toConstantValue(joinTokens);
    bind(ports.SetupToken).toConstantValue({ value: setupToken });
    bind(ports.SandboxEnvelopes).toConstantValue({ message: sandboxMessageEnvelope });
  });
}
