import { setTimeout as sleep } from 'node:timers/promises';
import { eventCatalogue } from '../dist/src/core/webhooks/catalogue.js';
import { startChild } from './support/child.mjs';
import { EventSource } from './support/events.mjs';
import { makeWorkspace, startService, withDataDir } from './support/service.mjs';
import { percentile } from './support/stats.mjs';

const ENDPOINTS = 200;
const PER_WORKSPACE = 50;
const DEAD = 40;
const PER_SECOND = 500;
const DURATION_MS = 30_000;
const WARM_UP_MS = 3_000;
const ARRIVED_WITHIN_MS = 30_000;
const P50_MS = 50;
const P95_MS = 250;

/** Delivering events, each to one endpoint, while some endpoints are dead: the time from the change to the receiver. */
export async function webhooks({ durationMs = DURATION_MS } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir);
    const receivers = await startChild('receivers', ENDPOINTS, DEAD);
    const source = await EventSource.open(dataDir);
    try {
      const endpoints = await register(service, source, receivers.info.urls);
      const next = (index) => endpoints[index % endpoints.length];
      await source.emit({ perSecond: PER_SECOND, durationMs: WARM_UP_MS, next });
      await sleep(WARM_UP_MS);
      await receivers.ask({ question: 'delays' });
      const sent = await source.emit({ perSecond: PER_SECOND, durationMs, next });
      const wanted = Array.from({ length: sent }, (_, index) => next(index)).filter(
        ({ isDead }) => !isDead,
      ).length;
      await arrived(receivers, wanted);
      return [line(await receivers.ask({ question: 'delays' }), wanted)];
    } finally {
      await source.close();
      await service.stop();
      await receivers.stop();
    }
  });
}

/** Each endpoint of a workspace gets its own type of event, so that one event goes to one endpoint. */
async function register(service, source, urls) {
  const names = eventCatalogue.filter(({ name }) => name !== 'webhook.test').map(({ name }) => name);
  // Spread over the workspaces, so that each has some dead endpoints.
  const workspaces = [];
  for (let n = 0; n < ENDPOINTS / PER_WORKSPACE; n += 1)
    workspaces.push(await makeWorkspace(service, source, n));
  const endpoints = [];
  for (const [index, url] of urls.entries()) {
    const { workspaceId, call } = workspaces[index % workspaces.length];
    const type = names[Math.floor(index / workspaces.length)];
    await call('POST', '/api/webhooks', { url, events: [type] });
    endpoints.push({ workspaceId, type, isDead: index < DEAD });
  }
  return endpoints;
}

async function arrived(receivers, wanted) {
  const endsAt = Date.now() + ARRIVED_WITHIN_MS;
  let count = 0;
  while (Date.now() < endsAt) {
    count = await receivers.ask({ question: 'count' });
    if (count >= wanted) return;
    await sleep(100);
  }
  throw new Error(`${wanted} deliveries expected, ${count} arrived.`);
}

function line(delays, wanted) {
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(delays, share));
  return {
    what: `Webhooks: ${PER_SECOND} events/s over ${ENDPOINTS} endpoints, ${DEAD} of them dead; change to receipt`,
    ours: `p50 ${p50} ms, p95 ${p95} ms, longest ${Math.max(...delays)} ms, ${delays.length} of ${wanted} received`,
    limit: '–',
    figure: `p50 ${p50} ms, p95 ${p95} ms`,
    required: `p50 < ${P50_MS} ms, p95 < ${P95_MS} ms`,
    met: p50 < P50_MS && p95 < P95_MS,
  };
}
