import type { Container } from 'inversify';
import type { Config } from '../config.js';
import type { Envelope } from '../contract/index.js';
import type { Log } from '../core/common/log.js';
import { type ArrivedEnvelope, noopTelemetry, type Telemetry } from '../core/deliveries/telemetry.js';
import { EventStreams } from '../core/events/streams.js';
import type { Receive } from '../core/inbound/receive.js';
import type { JobQueue } from '../queue/job-queue.js';
import type { Database } from '../store/connection/database.js';
import { Housekeeping } from '../store/maintenance/housekeeping.js';
import { PostgresTraces } from '../store/maintenance/traces.js';
import { CompositeTelemetry } from '../telemetry/composite-telemetry.js';
import type { GaugeSource } from '../telemetry/gauges.js';
import type { TraceSampling } from '../telemetry/traces.js';
import type { DatabaseOutage } from './database-outage.js';
import { version } from './version.js';

/** Sources of the metrics of a running service. */
interface FigureSources {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly container: Container;
  readonly outage: DatabaseOutage;
}

/** Metrics and traces of this process, for operators. */
export interface Observability {
  readonly telemetry: Telemetry;
  /** Serves the metrics if an address is configured. Resolves with a function that closes the server. */
  serve(sources: FigureSources): Promise<() => Promise<void>>;
  /** Sends the remaining traces. */
  stop(): Promise<void>;
}

/** Starts the configured metrics and traces. Code that is not needed is not loaded. */
export async function startObservability(
  config: Config,
  database: Database,
  log: Log,
): Promise<Observability> {
  const figures = config.metrics && (await openFigures(config.metrics, log));
  const traces =
    config.tracesUrl === undefined
      ? undefined
      : await openTraces(config.tracesUrl, config.traceSampling, database, log);
  return {
    telemetry: together([figures?.counted, traces].filter((each) => each !== undefined)),
    serve: figures?.serve ?? (async () => async () => undefined),
    stop: async () => traces?.stop(),
  };
}

function together(watchers: readonly Telemetry[]): Telemetry {
  return watchers.length > 1 ? new CompositeTelemetry(watchers) : (watchers[0] ?? noopTelemetry);
}

async function openTraces(endpoint: string, sampling: TraceSampling, database: Database, log: Log) {
  const { Traces } = await import('../telemetry/traces.js');
  return new Traces({ endpoint, sampling, version, store: new PostgresTraces(database.pool), log });
}

async function openFigures(at: NonNullable<Config['metrics']>, log: Log) {
  const [{ Metrics }, { addGauges }, { serveMetrics }] = await Promise.all([
    import('../telemetry/metrics.js'),
    import('../telemetry/gauges.js'),
    import('../telemetry/metrics-server.js'),
  ]);
  const counted = new Metrics();
  return {
    counted,
    serve(sources: FigureSources) {
      addGauges(counted.registry, gaugesOf(sources), log);
      return serveMetrics(counted.registry, { ...at, log });
    },
  };
}

function gaugesOf({ database, queue, container, outage }: FigureSources): readonly GaugeSource[] {
  const streams = container.get(EventStreams);
  return [
    ...sharedGauges(new Housekeeping(database.pool), queue),
    {
      name: 'database_connections',
      help: 'Connections of this process to the database; waiting are statements without one.',
      labels: ['pool', 'state'],
      read: () =>
        database.poolLoads().flatMap(({ pool, busy, idle, waiting }) => [
          { labels: { pool, state: 'busy' }, value: busy },
          { labels: { pool, state: 'idle' }, value: idle },
          { labels: { pool, state: 'waiting' }, value: waiting },
        ]),
    },
    {
      name: 'database_up',
      help: '1 while the database answers this process and accepts writes, 0 during an outage.',
      labels: [],
      read: () => [{ labels: {}, value: outage.isDown ? 0 : 1 }],
    },
    {
      name: 'event_streams',
      help: 'Event streams that are open in this process.',
      labels: [],
      read: () => [{ labels: {}, value: streams.count }],
    },
  ];
}

/** Gauges that have the same value in every process. */
function sharedGauges(housekeeping: Housekeeping, queue: JobQueue): readonly GaugeSource[] {
  return [
    {
      name: 'backlog_oldest_seconds',
      help: 'How long the oldest work that is due has waited, over all processes.',
      labels: ['work'],
      read: async () => {
        const { queueSeconds, webhookSeconds, deliverySeconds } = await housekeeping.backlog();
        return [
          { labels: { work: 'queue' }, value: queueSeconds },
          { labels: { work: 'webhooks' }, value: webhookSeconds },
          { labels: { work: 'deliveries' }, value: deliverySeconds },
        ];
      },
    },
    {
      name: 'queue_jobs',
      help: 'Jobs on the queue, over all processes.',
      labels: ['topic', 'state'],
      read: async () =>
        (await queue.counts()).map(({ topic, state, count }) => ({ labels: { topic, state }, value: count })),
    },
    {
      name: 'connections',
      help: 'Connections that are switched on, over all processes.',
      labels: ['platform', 'status'],
      read: async () =>
        (await housekeeping.connections()).map(({ platform, status, count }) => ({
          labels: { platform, status },
          value: count,
        })),
    },
  ];
}

/** Stores envelopes from platforms and records their arrival in telemetry. */
export function receiveObserved(receive: () => Receive, telemetry: Telemetry) {
  return async (connectionId: string, envelope: Envelope, platform: string): Promise<void> => {
    const arrived = (outcome: ArrivedEnvelope['outcome']) => telemetry.envelopeArrived({ platform, outcome });
    const { stored } = await receive()
      .envelope(connectionId, envelope)
      .catch((error: unknown) => {
        arrived('refused');
        throw error;
      });
    arrived(stored ? 'stored' : 'repeated');
  };
}
