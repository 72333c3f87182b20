import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { installChatPackage } from './support/chat-package.mjs';
import { startChild } from './support/child.mjs';
import { databaseOf, settled, startService, withDataDir } from './support/service.mjs';
import { median, percentile } from './support/stats.mjs';

const AT_ONCE = 16;
const WARM_UP = 300;
const MESSAGES = 2_000;
const ROUNDS = 3;
const PER_SECOND = 100;
const STEADY_SECONDS = 20;
const P50_MS = 25;
const P99_MS = 100;
const POLL_MS = 20;

/** Relaying from Telegram to Slack over both simulators: throughput and latency. */
export async function relay({ servers } = {}) {
  return withDataDir(async (dataDir) => {
    const { entry, version } = await installChatPackage(dataDir);
    // Each side has its own simulators, because two bots cannot poll one account.
    const [here, there] = [await startChild('platforms'), await startChild('platforms')];
    const service = await startService(dataDir, { env: servers?.env });
    const other = await startChild('chat-relay', entry);
    try {
      const pairs = await here.ask({ question: 'pairs', count: AT_ONCE });
      await bridge(service, here.info, pairs);
      await other.ask({ ...there.info, pairs: await there.ask({ question: 'pairs', count: AT_ONCE }) });
      const chats = pairs.map(({ telegram }) => telegram);
      let from = 1;
      const round = async (platforms, count) => {
        const { seconds, lost } = await platforms.ask({ question: 'relay', chats, from, count });
        from += count;
        return { perSecond: (count - lost) / seconds, lost };
      };
      await round(here, WARM_UP);
      await round(there, WARM_UP);
      const ours = [];
      const limit = [];
      for (let n = 0; n < ROUNDS; n += 1) {
        limit.push(await round(there, MESSAGES));
        ours.push(await round(here, MESSAGES));
        await settled(dataDir, servers);
      }
      const steady = await here.ask({
        question: 'steady',
        chats,
        from,
        count: PER_SECOND * STEADY_SECONDS,
        perSecond: PER_SECOND,
      });
      const database = servers?.database ?? (await databaseOf(dataDir));
      await checkStored(database, WARM_UP + ROUNDS * MESSAGES + PER_SECOND * STEADY_SECONDS);
      return [throughput(ours, limit, version), latency(steady)];
    } finally {
      await other.stop();
      await service.stop();
      await here.stop();
      await there.stop();
    }
  });
}

async function bridge(service, { telegram, slack }, pairs) {
  const connect = async (platform, { credentials, settings }) => {
    const { id } = await service.call('POST', `/openapi/platforms/${platform}/connections`, {
      name: 'Bench',
      credentials,
      // Without the pacing that platforms require.
      settings: { ...settings, rate_per_second: 0, chat_pacing: 'none' },
    });
    while ((await service.call('GET', `/openapi/platforms/connections/${id}`)).status !== 'connected') {
      await sleep(POLL_MS);
    }
    return id;
  };
  const from = await connect('telegram', telegram);
  const to = await connect('slack', slack);
  for (const pair of pairs) {
    await service.call('POST', '/openapi/conversations', {
      type: 'group',
      links: [
        { connection_id: from, external_id: pair.telegram },
        { connection_id: to, external_id: pair.slack },
      ],
    });
  }
}

/** Throws unless every relayed message is stored exactly once. */
async function checkStored(database, wanted) {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT count(*)::int AS stored, count(DISTINCT text)::int AS distinct FROM messages WHERE direction = 'inbound'`,
    );
    if (rows[0].stored !== wanted || rows[0].distinct !== wanted) {
      throw new Error(`${wanted} messages were relayed, but ${JSON.stringify(rows[0])} are stored.`);
    }
  } finally {
    await client.end();
  }
}

function throughput(ours, limit, version) {
  const middle = (rounds) => median(rounds.map(({ perSecond }) => perSecond));
  const lost = (rounds) => rounds.reduce((sum, round) => sum + round.lost, 0);
  const ratio = middle(ours) / middle(limit);
  return {
    what: `Relay from Telegram to Slack, ${AT_ONCE} messages on the way at once, each committed`,
    ours: `${Math.round(middle(ours))}/s, ${lost(ours)} lost`,
    limit: `${version}, state in memory: ${Math.round(middle(limit))}/s, ${lost(limit)} lost`,
    figure: ratio.toFixed(2),
    required: '≥ 1, none lost',
    met: ratio >= 1 && lost(ours) === 0,
  };
}

function latency({ tookMs, lost }) {
  const [p50, p99] = [percentile(tookMs, 0.5), percentile(tookMs, 0.99)];
  return {
    what: `From a post in Telegram to the call that Slack gets, at ${PER_SECOND} messages a second`,
    ours: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${lost} lost`,
    limit: '–',
    figure: `${p50.toFixed(0)} / ${p99.toFixed(0)} ms`,
    required: `< ${P50_MS} / ${P99_MS} ms`,
    met: p50 < P50_MS && p99 < P99_MS && lost === 0,
  };
}
