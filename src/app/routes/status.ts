import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from 'inversify';
import { clock } from '../../contract/clock.js';
import * as ports from '../../core/modules/tokens.js';
import type { ConnectionRecord } from '../../core/platforms/record.js';
import type { ApiStatus, ReadStatus } from '../../http/routes/status.js';
import type { Housekeeping } from '../../store/maintenance/housekeeping.js';
import { LATE_SECONDS } from '../background/backlog-alarm.js';
import { version } from '../version.js';

type Component = ApiStatus['components'][number];

export interface StatusSources {
  readonly housekeeping: Housekeeping;
  /** Revision that the running code was built from. */
  readonly commit: string;
  /** Pings Redis. Set when the queue is in Redis. */
  readonly pingRedis?: (() => Promise<void>) | undefined;
  /** Why the service is paused, as a sentence. Undefined when it is not paused. */
  readonly paused?: () => string | undefined;
}

/** Maximum time that a status request waits for Redis. Redis normally responds within milliseconds. */
const REDIS_LIMIT_MS = 2_000;

/** The status of the service and its dependencies, as one workspace sees it. */
export function readStatus(container: Pick<Container, 'get'>, sources: StatusSources): ReadStatus {
  const connections = container.get(ports.ConnectionStore);
  const installed = container.get(ports.InstalledPlatforms);
  return async (workspaceId) => {
    const refused = installed.refused.map(
      ({ adapter, reason }): Component => ({
        name: `adapter:${adapter}`,
        status: 'outage',
        latency_ms: null,
        message: reason,
      }),
    );
    const [parts, redis] = await Promise.all([
      databaseParts(sources),
      sources.pingRedis && redisAnswer(sources.pingRedis),
    ]);
    const platforms = (await connections.all(workspaceId)).filter((connection) => connection.enabled);
    const components = [
      ...(redis === undefined
        ? parts
        : parts.map((part) => (part.name === 'queue' ? withRedis(part, redis) : part))),
      ...refused,
      ...platforms.map(platformPart),
    ];
    return {
      status: overall(components),
      version: '1.0',
      time: clock.date().toISOString(),
      uptime_seconds: Math.floor(process.uptime()),
      versions: [
        { version: '1.0', status: 'stable', path: '/v1', sunset_at: null },
        { version: '2.0', status: 'beta', path: '/v2', sunset_at: null },
      ],
      build: { version, commit: sources.commit },
      components,
    };
  };
}

function platformPart({ id, status, health }: ConnectionRecord): Component {
  return {
    name: `platform:${id}`,
    status: status === 'connected' ? 'operational' : status === 'error' ? 'outage' : 'degraded',
    latency_ms: null,
    message: health.message,
  };
}

interface RedisAnswer {
  readonly answered: boolean;
  readonly latencyMs: number;
}

async function redisAnswer(ping: () => Promise<void>): Promise<RedisAnswer> {
  const startedAt = performance.now();
  const answered = await Promise.race([
    ping().then(
      () => true,
      () => false,
    ),
    sleep(REDIS_LIMIT_MS, false, { ref: false }),
  ]);
  return { answered, latencyMs: Math.round(performance.now() - startedAt) };
}

/** Adds the result of the Redis ping to the status that the database has for the queue. */
function withRedis(part: Component, { answered, latencyMs }: RedisAnswer): Component {
  if (answered) return { ...part, latency_ms: latencyMs };
  const message =
    'Redis does not answer. Accepted work waits in the database and goes on when Redis is back.';
  return { ...part, status: 'degraded', message };
}

function overall(components: readonly Component[]): ApiStatus['status'] {
  if (components.some(({ status }) => status === 'maintenance')) return 'maintenance';
  return components.every(({ status }) => status === 'operational') ? 'operational' : 'degraded';
}

async function databaseParts({
  housekeeping,
  paused = () => undefined,
}: StatusSources): Promise<Component[]> {
  const startedAt = performance.now();
  const { queueSeconds, webhookSeconds, deliverySeconds } = await housekeeping.backlog();
  const latencyMs = Math.round(performance.now() - startedAt);
  const message = paused();
  const resting = (name: string, reason: string): Component => ({
    name,
    status: 'maintenance',
    latency_ms: null,
    message: reason,
  });
  return [
    { name: 'database', status: 'operational', latency_ms: latencyMs, message: null },
    // Deliveries wait in the database and jobs wait in the queue. Both count as pending work of the queue.
    message === undefined
      ? backlog('queue', Math.max(queueSeconds, deliverySeconds))
      : resting('queue', message),
    message === undefined ? backlog('webhooks', webhookSeconds) : resting('webhooks', message),
  ];
}

function backlog(name: string, ageSeconds: number): Component {
  const late = ageSeconds > LATE_SECONDS;
  return {
    name,
    status: late ? 'degraded' : 'operational',
    latency_ms: null,
    message: ageSeconds > 0 ? `The oldest job has waited ${ageSeconds} s.` : null,
  };
}
