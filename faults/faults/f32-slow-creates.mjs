import { judgeSends } from '../ledger/outbound.mjs';
import { tokenOf } from '../ledger/tokens.mjs';
import { People } from '../load/people.mjs';
import { Sender } from '../load/sender.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Adapters abandon a create after 15 s. Every create takes effect later than that. */
const SHORTEST_MS = 20_000;
/** Time limit for all lookups. A message is found within twice the time it took to appear, plus 10 s. */
const FOUND_LIMIT_MS = 420_000;
const WEBHOOK_CREATE = 'POST /webhooks/:id/:token';

/**
 * Every platform delays each create by 20 to 120 s, even if its sender no longer waits, and senders are killed. A missing message
 * may still appear, so no message is sent twice. A message that appears is found.
 */
export const f32 = {
  id: 'F32',
  title: 'Every platform delays each create by 20 to 120 s, with kills of the sender',
  lengths: {
    short: { chats: 2, messages: 16, perSecond: 4, relayed: 4, maxMs: 40_000, kills: 1, everyMs: 6_000 },
    // Relayed messages share one lane. Each is abandoned after 15 s before the next one starts.
    long: {
      chats: 25,
      messages: 600,
      perSecond: 5,
      relayed: 12,
      maxMs: 120_000,
      kills: 8,
      everyMs: 15_000,
    },
  },
  async run(rig, { chats: each, messages, perSecond, relayed, maxMs, kills, everyMs }, verdict) {
    await rig.open({
      processes: { api: 'api,gateway', worker: 'worker' },
      platforms: { telegram: {}, discord: {}, slack: {}, sms: {} },
    });
    const chats = await rig.conversations(each);
    const bridge = await linkedChannel(rig);
    await slowDown(rig, maxMs);
    const [sender, people] = [new Sender(rig), new People()];
    const loads = Promise.all([
      sender.run(rig.random.shuffle(chats), { count: messages, perSecond }),
      people.run([bridge], { count: relayed, perSecond: Math.min(2, perSecond) }),
    ]);
    await killSenders(rig, kills, everyMs);
    await loads;
    const seconds = await ended(rig, chats);
    verdict.criterion('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    verdict.accepted(sender.sends, messages);
    for (const [name, platform] of Object.entries(rig.platforms))
      await judgePlatform(rig, name, sendsTo(sender, platform), sender.sends, verdict);
    await judgeRelayed(rig, bridge, people.posts, verdict);
    await judgeAbsent(rig, chats, verdict);
    verdict.happened('kills of the sender', rig.processes.worker.kills, kills);
    verdict.add('slow creates', { kills, most_ms: maxMs });
  },
};

/** Links a Telegram group and a Discord channel. Messages in the group are relayed through a webhook. */
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

async function slowDown(rig, maxMs) {
  for (const platform of Object.values(rig.platforms)) {
    const seed = rig.random.integer(1, 1e6);
    await platform.ask('slowCreates', { seed, fromMs: SHORTEST_MS, toMs: maxMs });
  }
}

/** Records the writes in progress at the kills. */
async function killSenders(rig, kills, everyMs) {
  const { worker } = rig.processes;
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(rig.random.integer(everyMs / 2, everyMs));
    const { starts } = worker;
    worker.kill();
    await rig.writes.record();
    await rig.lapse('worker');
    await worker.ready(starts);
  }
}

const sendsTo = (sender, platform) => sender.sends.filter(({ chat }) => chat.platform === platform);

/** Resolves with the seconds until all sends have ended and no message that a lookup can find is uncertain. */
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

/** Whether a create is still in progress on a platform. */
async function stillSlow(rig) {
  const open = await Promise.all(Object.values(rig.platforms).map((platform) => platform.ask('inProgress')));
  return open.some((count) => count > 0);
}

/** Messages that are uncertain although a lookup can find them. */
async function unfound(rig, chats) {
  const rows = await rig.query(
    `SELECT m.text, d.external_chat_id AS chat FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE d.status = 'uncertain' AND d.platform <> 'telegram'`,
  );
  if (rows.length === 0) return [];
  const written = await writtenTokens(rig, chats);
  return rows.filter(({ text }) => written.has(tokenOf(text)));
}

async function writtenTokens(rig, chats) {
  const written = new Set();
  for (const platform of Object.values(rig.platforms)) {
    const ids = chats.filter((chat) => chat.platform === platform).map(({ chatId }) => chatId);
    const gatherings = platform.name === 'discord' ? await platform.ask('gatherings') : [];
    for (const shown of await platform.ask('seen', [...ids, ...gatherings]))
      for (const { own, text } of shown) if (own) written.add(tokenOf(text));
  }
  return written;
}

async function judgePlatform(rig, name, own, all, verdict) {
  const judged = await judgeSends(rig, own, all);
  verdict.nothingWrong(name, judged);
  verdict.criterion(`${name}: marked duplicates`, judged.figures.marked, judged.figures.marked === 0);
  const creates = await rig.platforms[name].ask('writes');
  const slow = creates.filter(({ fault }) => fault === 'delay').length;
  if (own.length > 0) verdict.happened(`creates delayed by ${name}`, slow);
  verdict.add(`${name}: creates`, slow);
}

/** The Discord channel shows each message of the Telegram group once, or at most once if it is uncertain. */
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
  verdict.happened('webhook creates delayed by discord', slow);
}

/** An uncertain message that was never written was in progress at a kill. Telegram has no lookup. */
async function judgeAbsent(rig, chats, verdict) {
  const rows = await rig.query(
    `SELECT m.text FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE d.status = 'uncertain' AND d.platform <> 'telegram'`,
  );
  const written = await writtenTokens(rig, chats);
  const { inFlight } = rig.writes;
  const absent = rows.filter(({ text }) => !written.has(tokenOf(text))).length;
  verdict.criterion('uncertain and not written ≤ in flight', `${absent} of ${inFlight}`, absent <= inFlight);
  const present = rows.length - absent;
  verdict.criterion('uncertain although a lookup can find it', present, present === 0);
}
