import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../dist/src/core/access/api-key-format.js';
import { queueDeliveries } from './backlog/deliveries.mjs';
import { importSegments } from './support/audience.mjs';
import { startChild } from './support/child.mjs';
import { settled, startService, withDataDir } from './support/service.mjs';
import { median } from './support/stats.mjs';

const ROWS = 1_000_000;
/** Parallel requests. Few, so that a request waits for the service and not for other requests. */
const CONNECTIONS = 4;
const WARM_UP_MS = 1_000;
const ROUND_MS = 2_000;
const ROUNDS = 5;
const REQUIRED = 2;
const POLL_MS = 50;
/** Deliveries per minute of the broadcast, so that the workers are busy. */
const PER_MINUTE = 600;

/**
 * The latency of requests with a long queue, against an empty queue. The empty queue is measured before the broadcast and
 * after its cancellation, so that both sides have the same tables. Then the same with deliveries that wait for a rate limit.
 */
export async function backlog({ rows = ROWS } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir, { key: generateApiKey('test').key });
    const simulator = await startChild('simulator', 'telegram', 'sendMessage');
    const load = await startChild('load');
    try {
      const requests = await prepare(service);
      const measured = () => measure(load, service, requests);
      const segments = await importSegments(service, rows);
      await settled(dataDir);
      await measured();
      const idle = [await measured()];
      const broadcast = await sendThrottled(service, segments, rows);
      const sending = [await measured()];
      await cancel(service, broadcast);
      await settled(dataDir);
      idle.push(await measured());
      const queue = await queueDeliveries(service, { dataDir, simulator, rows });
      const queued = [await queue.during(measured)];
      return requests.flatMap(({ name }) => [
        line(`${name}, a broadcast of ${rows} being sent`, name, sending, idle),
        line(`${name}, ${rows} deliveries queued behind a platform's limit`, name, queued, idle),
      ]);
    } finally {
      await load.stop();
      await service.stop();
      await simulator.stop();
    }
  });
}

async function prepare(service) {
  const chats = [];
  for (let n = 0; n < 50; n += 1) {
    const { id } = await service.call('POST', '/openapi/conversations', {
      type: 'group',
      participant_ids: [],
    });
    chats.push(id);
  }
  const bodies = chats.map((id) => JSON.stringify({ conversation_id: id, text: 'Your order has left.' }));
  const { id } = await service.call('POST', '/openapi/messages', JSON.parse(bodies[0]));
  return [
    { name: 'POST /openapi/messages', method: 'POST', path: '/openapi/messages', expected: 201, bodies },
    { name: 'GET /openapi/messages/{id}', method: 'GET', path: `/openapi/messages/${id}`, expected: 200 },
    { name: 'GET /openapi/messages', method: 'GET', path: '/openapi/messages?cursor=', expected: 200 },
    {
      name: 'GET /openapi/conversations',
      method: 'GET',
      path: '/openapi/conversations?cursor=',
      expected: 200,
    },
  ];
}

/** The results of all rounds by the name of the request. The requests take turns. */
async function measure(load, service, requests) {
  const results = new Map(requests.map(({ name }) => [name, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { name, ...request } of requests) {
      const result = await load.ask({
        ...request,
        url: service.url,
        headers: { 'content-type': 'application/json', 'x-api-key': service.key },
        connections: CONNECTIONS,
        durationMs: round < 0 ? WARM_UP_MS : ROUND_MS,
      });
      if (result.failures.length > 0) throw new Error(`${name}: ${result.failures[0]}`);
      if (round >= 0) results.get(name).push(result);
    }
  }
  return results;
}

async function sendThrottled(service, segments, rows) {
  const { id } = await service.call('POST', '/openapi/broadcasts', {
    text: 'Hello {{first_name}}, your code is {{code}}.',
    throttle: { per_minute: PER_MINUTE },
    audience: { segment_ids: segments.map((segment) => segment.id) },
  });
  for (;;) {
    const { status, counts } = await service.call('GET', `/openapi/broadcasts/${id}`);
    if (status === 'failed') throw new Error('The broadcast failed.');
    if (status === 'sending' && counts.sent > 0) {
      if (counts.total !== rows) throw new Error(`planned ${JSON.stringify(counts)}`);
      return id;
    }
    await sleep(POLL_MS);
  }
}

async function cancel(service, id) {
  await service.call('DELETE', `/openapi/broadcasts/${id}`);
  while ((await service.call('GET', `/openapi/broadcasts/${id}`)).status !== 'canceled') await sleep(POLL_MS);
}

function line(what, name, ours, idle) {
  const middle = (phases, value) =>
    median(phases.flatMap((phase) => phase.get(name).map((round) => round[value])));
  const ratio = middle(ours, 'p99') / middle(idle, 'p99');
  const text = (phases) =>
    `p50 ${middle(phases, 'p50').toFixed(1)} ms, p99 ${middle(phases, 'p99').toFixed(1)} ms`;
  return {
    what,
    ours: text(ours),
    limit: `idle: ${text(idle)}`,
    figure: ratio.toFixed(2),
    required: `≤ ${REQUIRED}`,
    met: ratio <= REQUIRED,
  };
}
