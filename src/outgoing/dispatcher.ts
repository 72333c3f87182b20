import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { OutgoingError } from '../core/common/outgoing.js';
import { connectProblem } from './problem.js';
import type { Targets } from './targets.js';

export interface DispatcherOptions {
  readonly connectTimeoutMs: number;
  /** Certificate authorities trusted instead of the system's. */
  readonly ca?: string;
}

// More than any one use of it: tries of webhooks and the requests of one connection have limits of their own below that.
const connectionsPerOrigin = 256;
const maxOrigins = 4096;
const keepAliveMs = 10_000;
const keepAliveMaxMs = 60_000;
// For adapters: a platform may hold a long poll open and take an upload slowly.
const silenceMs = 120_000;
const nextAddressAfterMs = 1_000;
/** So much later than it should a timer may come on a busy machine. */
const lateMs = 1_000;

/** Connections kept open per origin. Each is opened to an address that was checked in the same step. */
export function createDispatcher(targets: Targets, options: DispatcherOptions): Agent {
  return new Agent({
    factory: (origin, settings): Dispatcher =>
      new Pool(origin, { ...settings, connect: guardedConnector(new URL(origin), targets, options) }),
    connections: connectionsPerOrigin,
    maxOrigins,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
}

/** Name resolution happens here and nowhere else; SNI, certificate check and Host keep the name. */
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
      // A suspended process learns of its connection before its timer reports the timeout. By then another process may have sent
      // what it wanted to send.
      if (performance.now() - askedAt <= options.connectTimeoutMs + lateMs) return callback(null, opened);
      opened.destroy();
      callback(new OutgoingError('timeout', 'no'), null);
    });
  };
}
