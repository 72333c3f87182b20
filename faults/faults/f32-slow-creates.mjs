import { judgeSends } from '../ledger/outbound.mjs';
import { tokenOf } from '../ledger/tokens.mjs';
import { People } from '../load/people.mjs';
import { Sender } from '../load/sender.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** The adapters give up a create after 15 s. All of these take effect later than that. */
const SHORTEST_MS = 20_000;
/** A message that is there is found after at most as long again as it took to appear, and ten seconds. */
const FOUND_LIMIT_MS = 420_000;
const WEBHOOK_CREATE = 'POST /webhooks/:id/:token';

/**
 * Every platform takes each create 20 to 120 s late, whether its sender still waits or not, and processes are killed meanwhile. A
 * message that is not there yet may still appear, so none is sent twice; a message that appears is found.
 */
export const f32 = {
  id: 'F32',
  title: 'Every platform delays each create by 20 to 120 s, with kills of the sender',
  lengths: {
    short: { chats: 2, messages: 16, perSecond: 4, relayed: 4, longestMs: 40_000, kills: 1, everyMs: 6_000 },
    // The relayed ones share one lane, in which each is given up after 15 s before the next.
    long: {
      chats: 25,
      messages: 600,
      perSecond: 5,
      relayed: 12,
      longestMs: 120_000,
      kills: 8,
      everyMs: 15_000,
    },
  },
  async run(rig, { chats: each, messages, perSecond, relayed, longestMs, kills, everyMs }, verdict) {
    await rig.open({
      processes: { api: 'api,gateway', worker: 'worker' },
      platforms: { telegram: {}, discord: {}, slack: {}, sms: {} },
    });
    const chats = await rig.conversations(each);
    const bridge = await linkedChannel(rig);
    await slowDown(rig, longestMs);
    const [sender, people] = [new Sender(rig), new People()];
    const loads = Promise.all([
      sender.run(rig.random.shuffle(chats), { count: messages, perSecond }),
      people.run([bridge], { count: relayed, perSecond: Math.min(2, perSecond) }),
    ]);
    const inFlight = await killSenders(rig, kills, everyMs);
    await loads;
    const seconds = await ended(rig, chats);
    verdict.bar('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    verdict.accepted(sender.sends, messages);
    for (const [name, platform] of Object.entries(rig.platforms))
      await judgePlatform(rig, name, sendsTo(sender, platform), sender.sends, verdict);
    await judgeRelayed(rig, bridge, people.posts, verdict);
    await judgeNowhere(rig, chats, inFlight, verdict);
    verdict.struck('kills of the sender', rig.processes.worker.kills, kills);
    verdict.add('slow creates', { kills, most_ms: longestMs });
  },
};

/** A Telegram group and a Discord channel in one conversation: what people write there is relayed through a webhook. */
async function linkedChannel(rig) {
  const { telegram, discord } = rig.platforms;
  const [group] = await telegram.ask('gatherings');
  const [channel] = await discord.ask('gatherings');
  const links = [
    { connection_id: telegram.connectionId, external_id: group },
    { connection_id: discord.connectionId, external_id: channel, attribution: 'persona' },
  ];
  await rig.api.call('POST', '/v1/openapi/conversations', { type: 'group', links });
  return { number: 10_000, platform: telegram, chatId: group, channel };
}

async function slowDown(rig, longestMs) {
  for (const platform of Object.values(rig.platforms)) {
    const seed = rig.random.integer(1, 1e6);
    await platform.ask('slowCreates', { seed, fromMs: SHORTEST_MS, toMs: longestMs });
  }
}

/** Resolves with how many writes were under way at the kills. */
async function killSenders(rig, kills, everyMs) {
  const { worker } = rig.processes;
  let inFlight = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(rig.random.integer(everyMs / 2, everyMs));
    const { starts } = worker;
    worker.strike();
    inFlight += await rig.underWay();
    await rig.lapse('worker');
    await worker.ready(starts);
  }
  return inFlight;
}

const sendsTo = (sender, platform) => sender.sends.filter(({ chat }) => chat.platform === platform);

/** Resolves with the seconds until nothing is sent any more and everything that is there, where it can be asked for, is found. */
async function ended(rig, chats) {
  const startedAt = performance.now();
  const done = async () => {
    const [{ n }] = await rig.query(
      `SELECT count(*)::int AS n FROM deliveries WHERE status IN ('queued', 'sending')`,
    );
    if (n > 0 || (await stillSlow(rig))) return false;
    return (await unfound(rig, chats)).length === 0;
  };
  const found = await until(done, FOUND_LIMIT_MS, 1_000);
  return found === undefined ? undefined : (performance.now() - startedAt) / 1000;
}

/** Whether a create is still in progress at a platform. */
async function stillSlow(rig) {
  const open = await Promise.all(Object.values(rig.platforms).map((platform) => platform.ask('inProgress')));
  return open.some((count) => count > 0);
}

/** Messages that stand where they can be asked for and are uncertain all the same. */
async function unfound(rig, chats) {
  const rows = await rig.query(
    `SELECT m.text, d.external_chat_id AS chat FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE d.status = 'uncertain' AND d.platform <> 'telegram'`,
  );
  if (rows.length === 0) return [];
  const there = await tokensThere(rig, chats);
  return rows.filter(({ text }) => there.has(tokenOf(text)));
}

async function tokensThere(rig, chats) {
  const there = new Set();
  for (const platform of Object.values(rig.platforms)) {
    const ids = chats.filter((chat) => chat.platform === platform).map(({ chatId }) => chatId);
    const gatherings = platform.name === 'discord' ? await platform.ask('gatherings') : [];
    for (const shown of await platform.ask('seen', [...ids, ...gatherings]))
      for (const { own, text } of shown) if (own) there.add(tokenOf(text));
  }
  return there;
}

async function judgePlatform(rig, name, own, all, verdict) {
  const judged = await judgeSends(rig, own, all);
  verdict.nothingWrong(name, judged);
  verdict.bar(`${name}: twice`, judged.figures.marked, judged.figures.marked === 0);
  const creates = await rig.platforms[name].ask('writes');
  const slow = creates.filter(({ fault }) => fault === 'delay').length;
  verdict.struck(`creates that ${name} delayed`, slow, own.length > 0 ? 1 : 0);
  verdict.add(`${name}: creates`, slow);
}

/** What people wrote in the Telegram group stands once in the Discord channel, or is uncertain and stands there at most once. */
async function judgeRelayed(rig, { channel }, posts, verdict) {
  const { discord } = rig.platforms;
  const [shown] = await discord.ask('seen', [channel]);
  const rows = await rig.query(
    `SELECT m.text, d.status FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE m.direction = 'inbound' AND d.connection_id = $1`,
    [discord.connectionId],
  );
  const figures = { relayed: posts.length, lost: 0, duplicated: 0, uncertain: 0 };
  for (const { token } of posts) {
    const copies = shown.filter(({ text }) => tokenOf(text) === token).length;
    const status = rows.find(({ text }) => tokenOf(text) === token)?.status;
    if (status === 'uncertain') figures.uncertain += 1;
    else if (status !== 'sent' || copies === 0) figures.lost += 1;
    if (copies > 1) figures.duplicated += 1;
  }
  verdict.nothingWrong('relayed through a webhook', { figures, details: [] });
  const slow = (await discord.ask('writes', WEBHOOK_CREATE)).filter(({ fault }) => fault === 'delay').length;
  verdict.struck('creates by a webhook that discord delayed', slow);
}

/** What never reached a platform that can be asked was in the hands of a process that was killed. */
async function judgeNowhere(rig, chats, inFlight, verdict) {
  const rows = await rig.query(
    `SELECT m.text FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE d.status = 'uncertain' AND d.platform <> 'telegram'`,
  );
  const there = await tokensThere(rig, chats);
  const nowhere = rows.filter(({ text }) => !there.has(tokenOf(text))).length;
  verdict.bar('uncertain and not there ≤ in flight', `${nowhere} of ${inFlight}`, nowhere <= inFlight);
  const hidden = rows.length - nowhere;
  verdict.bar('uncertain although it is there and can be asked for', hidden, hidden === 0);
}
