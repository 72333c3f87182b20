import { judgePosts } from '../ledger/inbound.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { DOCUMENTED_RETRIES_MS, SCANTY_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Share of each round in which the service is up, including its start. */
const UP_SHARE = 0.15;

/**
 * The service is killed repeatedly and is down most of the time. Redeliveries end before it is back, so missed events must be
 * fetched from the histories of Slack and Discord, the list of Twilio and the queue of Telegram.
 */
export const f33 = {
  id: 'F33',
  title: 'The service is down for 85 % of the time and fetches missed events from the platforms',
  lengths: {
    short: { chats: 3, events: 120, rounds: 2, roundMs: 8_000 },
    long: { chats: 20, events: 6_000, rounds: 10, roundMs: 60_000 },
  },
  async run(rig, { chats: each, events, rounds, roundMs }, verdict) {
    const retriesMs = rig.length === 'short' ? SCANTY_RETRIES_MS : DOCUMENTED_RETRIES_MS;
    await rig.open({
      platforms: {
        slack: { options: { retriesMs } },
        'slack by socket': { platform: 'slack', account: 'accountForGateway', options: { retriesMs } },
        telegram: { settings: { ingress: 'poll' } },
        'telegram by webhook': { platform: 'telegram', settings: { ingress: 'webhook' } },
        discord: {},
        sms: {},
      },
    });
    const chats = await rig.conversations(each);
    const people = new People();
    // Each connection has received an event, because only later events count as missed.
    for (const chat of chats) await people.post(chat);
    await rig.stored('inbound', chats.length, 60_000);
    const spanMs = rounds * roundMs;
    const load = people.run(chats, { count: events, perSecond: (events / spanMs) * 1000 });
    const down = await mostlyDown(rig, { rounds, roundMs });
    await load;
    const { service } = rig.processes;
    await service.start();
    await rig.lapse('service');
    const posts = people.posts.length;
    const stored = await rig.stored('inbound', posts, rig.length === 'short' ? 120_000 : 600_000);
    await rig.quiet(240_000);
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.nothingWrong('webhooks', await judgeWebhooks(rig));
    verdict.criterion('stored', `${stored} of ${posts}`, stored === posts);
    verdict.happened('kills', service.kills, rounds);
    const fetched = await backfilled(rig);
    for (const { name, messages } of fetched)
      verdict.happened(`messages fetched from the history of ${name}`, messages);
    const sum = fetched.reduce((total, { messages }) => total + messages, 0);
    verdict.add('down', { '% of the time': Math.round(down * 100), fetched: sum });
  },
};

/** Resolves with the share of the time in which the service was down. It is larger on a busy machine. */
async function mostlyDown(rig, { rounds, roundMs }) {
  const { service } = rig.processes;
  const startedAt = performance.now();
  let downMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const upMs = roundMs * UP_SHARE;
    const wakeMs = (roundMs - upMs) * (0.8 + 0.2 * rig.random.next());
    const killedAt = performance.now();
    service.kill({ stayDown: true });
    await sleep(wakeMs);
    // Discord ends a session that has had no connection for some minutes. The last start of the run resumes its session.
    await rig.platforms.discord.ask('gateway', 'forgetSessions');
    await service.start();
    await rig.lapse('service');
    downMs += performance.now() - killedAt;
    await sleep(Math.max(0, upMs * (0.5 + rig.random.next())));
  }
  const share = downMs / (performance.now() - startedAt);
  service.kill({ stayDown: true });
  return share;
}

/**
 * What distinguishes a stored message that was fetched from a history. Slack's have their own key. Discord's have no number of a
 * gateway event. Twilio's list lacks a field that its webhooks have. Telegram has no history: it keeps its updates in a queue.
 */
const FETCHED = {
  slack: `dedupe_key LIKE 'history:%'`,
  discord: `payload->>'t' = 'MESSAGE_CREATE' AND payload->>'s' = '0'`,
  sms: `payload ? 'Body' AND NOT payload ? 'SmsMessageSid'`,
};

/** Number of messages that each connection to a platform with a history fetched from it. */
async function backfilled(rig) {
  const connections = Object.values(rig.platforms).filter(({ platform }) => platform in FETCHED);
  return Promise.all(
    connections.map(async ({ name, platform, connectionId }) => {
      const [{ n }] = await rig.query(
        `SELECT count(*)::int AS n FROM envelopes WHERE connection_id = $1 AND ${FETCHED[platform]}`,
        [connectionId],
      );
      return { name, messages: n };
    }),
  );
}
