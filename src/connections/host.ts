import { type AdapterHost, type Envelope, type HealthReport, PlatformError } from '../contract/index.js';
import type { Redactor } from '../core/adapters/redactor.js';
import type { Log } from '../core/common/log.js';
import { OutgoingError } from '../core/common/outgoing.js';
import type { OpenedMedia } from '../core/media/open-media.js';
import type { ConnectionRuntime } from '../core/platforms/ports.js';
import { adapterLog } from './adapter-log.js';
import type { Dropped } from './dropped.js';
import { HostArguments } from './host-arguments.js';
import { LimitedCalls } from './host-limits.js';
import { mediaFile } from './host-media.js';
import { SavedState } from './saved-state.js';

/** Services that all hosts share. */
export interface HostServices {
  readonly runtime: ConnectionRuntime;
  readonly receive: (connectionId: string, envelope: Envelope, platform: string) => Promise<void>;
  readonly fetch: typeof fetch;
  readonly assertTarget: AdapterHost['assertTarget'];
  /** A stored copy that belongs to the connection's workspace. */
  readonly openMedia: (connectionId: string, ref: string) => Promise<OpenedMedia | undefined>;
  readonly log: Log;
  readonly publicUrl: () => string;
}

export interface HostedConnection {
  readonly id: string;
  readonly platform: string;
  readonly redactor: Redactor;
  /** Counts calls of the connection that exceeded a limit. */
  readonly dropped: Dropped;
}

/** The bridge as one live adapter sees it. All calls of the adapter are limited, because all connections share one process. */
export function createHost(
  services: HostServices,
  connection: HostedConnection,
  onHealth: (report: HealthReport) => void,
): AdapterHost {
  const { id, dropped, redactor } = connection;
  const limited = (kind: ConstructorParameters<typeof LimitedCalls>[0]) => new LimitedCalls(kind, dropped);
  const [receive, fetching, media, target] = [
    limited('receive'),
    limited('fetch'),
    limited('media'),
    limited('target'),
  ];
  const log = adapterLog(services.log, connection, redactor, dropped);
  const given = new HostArguments(connection.platform, log);
  return {
    webhookUrl: `${services.publicUrl()}/hooks/${connection.platform}/${id}`,
    receive: async (envelope) => {
      given.envelope(envelope);
      return receive.run(() => services.receive(id, envelope, connection.platform));
    },
    health: (report) => {
      given.health(report);
      onHealth(report);
    },
    state: new SavedState(id, services.runtime, redactor, limited('state'), given).access,
    fetch: (input, init) => fetching.run(() => services.fetch(input, init).catch(toPlatformError)),
    openMedia: async (ref) => {
      given.text('openMedia', 'ref', ref);
      return media.run(async () => mediaFile(await services.openMedia(id, ref)));
    },
    assertTarget: async (url) => {
      given.text('assertTarget', 'url', url);
      return target.run(() => services.assertTarget(url).catch(toPlatformError));
    },
    log,
  };
}

/** Converts an error of the guard to a PlatformError. Its code is one that SDK mappings read with the same certainty. */
function toPlatformError(error: unknown): never {
  if (!(error instanceof OutgoingError)) throw error;
  if (error.problem === 'forbidden_target') {
    throw new PlatformError(
      { kind: 'misconfigured' },
      {
        dispatched: 'no',
        message: 'The bridge may not connect to the address of the platform.',
        fix: 'Correct api_base_url, or let its network through with ALLOW_PRIVATE_TARGETS.',
        code: 'ECONNREFUSED',
      },
    );
  }
  throw new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    {
      dispatched: error.dispatched,
      message: error.message,
      code: error.dispatched === 'no' ? 'ECONNREFUSED' : 'ECONNRESET',
    },
  );
}
