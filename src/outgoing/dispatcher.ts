import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { OutgoingError } from '../core/common/outgoing.js';
import { connectProblem } from './problem.js';
import type { Targets } from './targets.js';

export interface DispatcherOptions {
  readonly connectTimeoutMs: number;
  /** Certificate authorities trusted instead of the system's. */
  readonly ca?: string;
}

const maxOrigins = 4096;
const keepAliveMs = 10_000;
const keepAliveMaxMs = 60_000;
// Adapters need a long timeout: a platform may hold a long poll open or accept an upload slowly.
const silenceMs = 120_000;
const nextAddressAfterMs = 1_000;
/** Tolerated delay of a timer on a busy machine. */
const lateMs = 1_000;

/**
 * Keeps connections open per origin. Each is opened to an address that was checked in the same step. Their number is not limited
 * here, because the connections of many workspaces hold long polls at one platform. Each caller limits its own requests.
 */
export function createDispatcher(targets: Targets, options: DispatcherOptions): Agent {
  return new Agent({
    factory: (origin, settings): Dispatcher =>
      new Pool(origin, { ...settings, connect: guardedConnector(new URL(origin), targets, options) }),
    connections: null,
    maxOrigins,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
}

/** The only place that resolves names for HTTP connections. SNI, certificate check and Host header use the name. */
function guardedConnector(
  origin: URL,
  targets: Targets,
  options: DispatcherOptions,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    lookup: (_hostname, { all }, callback) => {
      targets.addresses(origin).then(
        (addresses) => {
          const [first] = addresses;
          if (all) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: Error) => callback(error, ''),
      );
    },
  });
  return (target, callback) => {
    try {
      targets.assertUrl(origin); // a literal address never reaches `lookup`
    } catch (error) {
      callback(connectProblem(error), null);
      return;
    }
    const askedAt = performance.now();
    connect(target, (error, socket) => {
      if (error !== null) return callback(connectProblem(error), null);
      const opened = socket as NonNullable<typeof socket>;
      // After a suspension, a process sees its new connection before its timer reports the timeout. By then another process may
      // have sent the same request.
      if (performance.now() - askedAt <= options.connectTimeoutMs + lateMs) return callback(null, opened);
      opened.destroy();
      callback(new OutgoingError('timeout', 'no'), null);
    });
  };
}
