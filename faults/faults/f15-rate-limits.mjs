import { judgeBroadcast, reached, readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** What may be under way when a refusal is heard: as many as a process writes at once, less the one that was refused. */
const UNDER_WAY = 49;
/** So far apart may be when two processes say that something was, which know of milliseconds alone. */
const CLOCK_MS = 5;
/** Less than the shortest wait that is made of one that makes no sense. */
const SENSIBLE_MS = 900;
const LOOK_MS = 7_000;

/** Whom a refusal is about: here a single chat, elsewhere the account; Discord says which. */
const OF_ONE_CHAT = new Set(['telegram', 'slack']);
const OF_EITHER = new Set(['discord']);

/** The ways in which waits are told, right and wrong: `leastMs` is how long nobody calls. */
const STORMS = [
  { retryAfterMs: 2_000, shape: 'native', leastMs: 1_950, scope: 'account', isReadable: true },
  { retryAfterMs: 2_000, shape: 'native', leastMs: 1_950, scope: 'chat', isReadable: true },
  { retryAfterMs: 1_500, shape: 'float', leastMs: 1_450, scope: 'account', isReadable: true },
  { retryAfterMs: 2_000, shape: 'seconds', leastMs: 1_950, scope: 'chat', isReadable: true },
  { retryAfterMs: 1_000, shape: 'absent', leastMs: SENSIBLE_MS, scope: 'account' },
  { retryAfterMs: -5_000, shape: 'seconds', leastMs: SENSIBLE_MS, scope: 'account' },
  { retryAfterMs: -1_500, shape: 'float', leastMs: SENSIBLE_MS, scope: 'chat' },
];

/** Those that hold for long: 1500 was meant as milliseconds where seconds are told, and a day is a day. */
const LONG_WAITS = [
  { what: '1500 ms told as seconds', retryAfterMs: 1_500, shape: 'milliseconds', leastMs: 1_490_000 },
  { what: 'a day', retryAfterMs: 86_400_000, shape: 'seconds', leastMs: 86_300_000 },
];

/** The platforms ask for waits: nobody calls before they are over, and nobody is asked twice for the same. */
export const f15 = {
  id: 'F15',
  title: '429 from every platform, in every form and with waits of up to a day',
  lengths: { short: { recipients: 100 }, long: { recipients: 10_000 } },
  async run(rig, { recipients }, verdict) {
    await rig.open({ platforms: { telegram: {}, discord: {}, slack: {}, sms: {} } });
    rig.processes.service.attempts = new Map();
    const platforms = rig.random.shuffle(Object.values(rig.platforms));
    await Promise.all(platforms.map((platform) => storms(rig, platform, recipients, verdict)));
    for (const wait of LONG_WAITS) {
      await Promise.all(platforms.map((platform) => endless(rig, platform, wait, verdict)));
    }
  },
};

/** A part of the broadcast for each way of telling it, whose first writes meet the refusal. */
async function storms(rig, platform, recipients, verdict) {
  const { name } = platform;
  const call = await platform.ask('createCall');
  const part = Math.ceil(recipients / STORMS.length);
  for (const [at, { retryAfterMs, shape, scope }] of STORMS.entries()) {
    await platform.ask('fault', { fault: { kind: 'rate_limited', retryAfterMs, shape, scope }, call });
    const broadcast = await startBroadcast(rig, platform, part, 100_000 + at * part);
    const ended = await until(
      async () => (await readBroadcast(rig, broadcast)).status === 'completed',
      240_000,
      250,
    );
    const what = `${name}, ${shape} ${retryAfterMs} ${scope}`;
    verdict.bar(`${what}: it ends`, ended === true ? 'yes' : 'no', ended === true);
    const { counts } = await judgeBroadcast(rig, broadcast, verdict, what);
    verdict.bar(`${what}: sent`, reached(counts), reached(counts) === part);
  }
  await judgeWaits(rig, platform, verdict);
}

function isOfOneChat(name, scope) {
  return OF_ONE_CHAT.has(name) || (OF_EITHER.has(name) && scope === 'chat');
}

async function judgeWaits(rig, platform, verdict) {
  const { name } = platform;
  const writes = await platform.ask('writes');
  const refused = writes.filter(({ fault }) => fault === 'rate_limited');
  verdict.struck(`refusals of ${name}`, refused.length, STORMS.length);
  verdict.bar(`${name}: refusals for one wait`, refused.length, refused.length === STORMS.length);
  const early = [];
  const underWay = [];
  for (const [number, refusal] of refused.entries()) {
    const storm = STORMS[number] ?? STORMS[0];
    const during = writes.filter(
      ({ at, number: each }) => each > refusal.number && at < refusal.at + leastOf(name, storm),
    );
    // The refused one itself is called again by nobody who had not heard of the wait; the others may have been on their way.
    const again = during.filter(({ chatId }) => chatId === refusal.chatId);
    const isOfAll = storm.isReadable && !isOfOneChat(name, storm.scope);
    const others = isOfAll ? during.filter(({ chatId }) => chatId !== refusal.chatId) : [];
    const late = await calledLater(rig, platform, refusal, others);
    const found = again.length + late.length;
    if (found > 0) early.push(`${storm.shape} ${storm.retryAfterMs} ${storm.scope}: ${found}`);
    underWay.push(others.length - late.length);
  }
  const most = Math.max(0, ...underWay);
  verdict.add(name, { refusals: refused.length, 'under way at most': most });
  verdict.bar(`${name}: calls before the wait was over`, early.join(', ') || 0, early.length === 0);
  verdict.bar(`${name}: calls under way`, most, most <= UNDER_WAY);
}

/**
 * Those among some writes whose calls were begun when the process had recorded the refusal. When they arrive tells nothing:
 * calls of a busy process wait for their connections, and a busy simulator reads them late.
 */
async function calledLater(rig, { connectionId }, refusal, writes) {
  if (writes.length === 0) return [];
  const { attempts } = rig.processes.service;
  const chats = [refusal, ...writes].map(({ chatId }) => chatId);
  const deliveries = await rig.query(
    'SELECT id, external_chat_id AS chat FROM deliveries WHERE connection_id = $1 AND external_chat_id = ANY ($2)',
    [connectionId, chats],
  );
  const tries = (of) => deliveries.flatMap(({ id, chat }) => (chat === of ? (attempts.get(id) ?? []) : []));
  const heard = tries(refusal.chatId).find(
    ({ error, recordedAt }) => error === 'rate_limited' && recordedAt >= refusal.at,
  );
  if (heard === undefined) throw new Error(`Nothing was logged of the refusal in ${refusal.chatId}.`);
  return writes.filter(({ chatId, at }) => {
    const call = tries(chatId).findLast(({ calledAt }) => calledAt <= at + CLOCK_MS);
    // Of whom nothing was logged, nothing is known in their favour.
    return call === undefined || call.calledAt > heard.recordedAt;
  });
}

/** Slack tells whole seconds, and its SDK reads no more than these. */
function leastOf(name, { shape, leastMs }) {
  return name === 'slack' && shape === 'float' ? Math.min(leastMs, 950) : leastMs;
}

/** A wait of hours holds everything that it is about, and is seen. */
async function endless(rig, platform, { what, retryAfterMs, shape, leastMs }, verdict) {
  const { name } = platform;
  const call = await platform.ask('createCall');
  const earlier = (await platform.ask('writes')).length;
  const fault = { kind: 'rate_limited', retryAfterMs, shape, scope: 'account' };
  await platform.ask('fault', { fault, call });
  const many = 20;
  const from = 500_000 + LONG_WAITS.findIndex((wait) => wait.what === what) * many;
  const broadcast = await startBroadcast(rig, platform, many, from);
  const struck = await until(async () => (await platform.ask('faultWaiting')) === 0, 240_000, 20);
  verdict.struck(`${name}: ${what}`, struck === true ? 1 : 0);
  await sleep(LOOK_MS);
  const writes = (await platform.ask('writes')).slice(earlier);
  const refusal = writes.findLast(({ fault: each }) => each === 'rate_limited');
  const ofChat = isOfOneChat(name, 'account');
  const concerned = writes.filter(
    ({ chatId, number }) => number > refusal.number && (!ofChat || chatId === refusal.chatId),
  );
  const later = (await calledLater(rig, platform, refusal, concerned)).length;
  verdict.bar(`${name}: calls after ${what} began`, later, later === 0);
  if (ofChat) await judgeOneChat(rig, platform, { what, refusal, writes, many, leastMs }, verdict);
  else await judgeAccount(rig, platform, what, verdict);
  await rig.api.call('DELETE', `/v1/openapi/broadcasts/${broadcast.id}`);
}

async function judgeAccount(rig, { name, connectionId }, what, verdict) {
  const path = `/v1/openapi/platforms/connections/${connectionId}`;
  const { status, health } = await rig.api.call('GET', path);
  verdict.bar(
    `${name}: the connection tells of ${what}`,
    `${status}, ${health.code}`,
    health.code === 'rate_limited',
  );
  // Somebody has cleared it up with the platform, and the next one can be tried.
  await rig.api.call('POST', `${path}/reconnect`);
  await until(async () => (await rig.api.call('GET', path)).health.code === 'ok', 240_000);
}

/** The one chat waits, and its delivery says until when; the others had theirs. */
async function judgeOneChat(rig, { name }, { what, refusal, writes, many, leastMs }, verdict) {
  const others = writes.filter(({ committed }) => committed).length;
  verdict.bar(`${name}: the others meanwhile`, `${others} of ${many - 1}`, others === many - 1);
  const [held] = await rig.query(
    `SELECT status, extract(epoch FROM next_attempt_at)::float * 1000 AS next FROM deliveries
     WHERE external_chat_id = $1 ORDER BY position DESC LIMIT 1`,
    [refusal.chatId],
  );
  const waitMs = (held?.next ?? 0) - refusal.at;
  const tells = held?.status === 'queued' && waitMs >= leastMs;
  verdict.bar(
    `${name}: the delivery tells of ${what}`,
    `${held?.status} for ${Math.round(waitMs / 1000)} s`,
    tells,
  );
}
