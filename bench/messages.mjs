import { startChild } from './support/child.mjs';
import { databaseOf, settled, startService, withDataDir } from './support/service.mjs';
import { median } from './support/stats.mjs';

const CONNECTIONS = 32;
const CONVERSATIONS = 200;
const WARM_UP_MS = 3_000;
const ROUND_MS = 4_000;
const ROUNDS = 5;
const REQUIRED = 0.5;
const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow between 9 and 12.';

/** Accepting messages, against the minimal cost of a POST with one INSERT on the same server. */
export async function messages({ rounds = ROUNDS, servers } = {}) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir, { env: servers?.env });
    const database = servers?.database ?? (await databaseOf(dataDir));
    const limit = await startChild('limit-server', JSON.stringify(database));
    const load = await startChild('load');
    try {
      await listen(service);
      const chats = await openConversations(service, false);
      const linked = await openConversations(service, true);
      const contenders = {
        limit: { url: limit.info.url, path: '/messages', bodies: bodiesFor(chats) },
        ours: { url: service.url, path: '/openapi/messages', bodies: bodiesFor(chats) },
        linked: { url: service.url, path: '/openapi/messages', bodies: bodiesFor(linked) },
      };
      const run = async (name, durationMs) => {
        const headers = { 'content-type': 'application/json', 'x-api-key': service.key };
        const result = await load.ask({ ...contenders[name], headers, connections: CONNECTIONS, durationMs });
        if (result.failures.length > 0) throw new Error(`${name}: ${result.failures[0]}`);
        await settled(dataDir, servers);
        return result;
      };
      const results = await interleaved(Object.keys(contenders), rounds, run);
      return [
        line('in a conversation of Trunkline alone', results.ours, results.limit),
        line('in a conversation linked to a platform', results.linked, results.limit),
      ];
    } finally {
      await load.stop();
      await limit.stop();
      await service.stop();
    }
  });
}

/** Opens the event stream once. From then on events and their outbox rows are recorded, because the reader may resume. */
async function listen({ url, key }) {
  const stop = new AbortController();
  const path = '/openapi/events/stream';
  await fetch(url + path, { headers: { 'x-api-key': key }, signal: stop.signal });
  stop.abort();
}

async function interleaved(names, rounds, run) {
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await run(name, WARM_UP_MS);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await run(name, ROUND_MS));
  }
  return results;
}

/** The connection of a linked conversation is switched off: this benchmark measures accepting, not sending. */
async function openConversations(service, linked) {
  const connection = linked
    ? await service.call('POST', '/openapi/platforms/telegram/connections', {
        name: 'Bench',
        enabled: false,
        credentials: { bot_token: '123456789:bench-bench-bench-bench-bench-bench' },
      })
    : undefined;
  const ids = [];
  for (let n = 0; n < CONVERSATIONS; n += 1) {
    const body = linked
      ? { links: [{ connection_id: connection.id, external_id: String(500_000_000 + n) }] }
      : { type: 'group', participant_ids: [] };
    ids.push((await service.call('POST', '/openapi/conversations', body)).id);
  }
  return ids;
}

function bodiesFor(conversations) {
  return conversations.map((id) => JSON.stringify({ conversation_id: id, text: TEXT }));
}

function line(what, ours, limit) {
  const rate = (results) => median(results.map(({ perSecond }) => perSecond));
  const ratio = rate(ours) / rate(limit);
  const times = (results) =>
    `p50 ${median(results.map(({ p50 }) => p50)).toFixed(1)} ms, p99 ${median(results.map(({ p99 }) => p99)).toFixed(1)} ms`;
  return {
    what: `POST /openapi/messages ${what}, ${CONNECTIONS} connections`,
    ours: `${Math.round(rate(ours))}/s, ${times(ours)}`,
    limit: `${Math.round(rate(limit))}/s, ${times(limit)}`,
    figure: ratio.toFixed(2),
    required: `≥ ${REQUIRED}`,
    met: ratio >= REQUIRED,
  };
}
