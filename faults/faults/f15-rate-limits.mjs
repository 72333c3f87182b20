import { judgeBroadcast, reached, readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** What may still be under way when the first refusal arrives, as many as a process writes at once, and how long it may take. */
const IN_FLIGHT = 64;
const IN_FLIGHT_MS = { short: 1_000, long: 500 };
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
  title: '429 on every platform, told in every shape, and ones of hours',
  lengths: { short: { recipients: 100 }, long: { recipients: 10_000 } },
  async run(rig, { recipients }, verdict) {
    await rig.open({ platforms: { telegram: {}, discord: {}, slack: {}, sms: {} } });
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
  judgeWaits(rig, await platform.ask('writes'), name, verdict);
}

function isOfOneChat(name, scope) {
  return OF_ONE_CHAT.has(name) || (OF_EITHER.has(name) && scope === 'chat');
}

function judgeWaits(rig, writes, name, verdict) {
  const refused = writes.filter(({ fault }) => fault === 'rate_limited');
  verdict.struck(`refusals of ${name}`, refused.length, STORMS.length);
  verdict.bar(`${name}: refusals for one wait`, refused.length, refused.length === STORMS.length);
  const early = [];
  const underWay = [];
  for (const [number, refusal] of refused.entries()) {
    const storm = STORMS[number] ?? STORMS[0];
    const leastMs = leastOf(name, storm);
    const during = writes.filter(
      ({ at, number: each }) => each > refusal.number && at < refusal.at + leastMs,
    );
    // The refused one itself is called again by nobody who had not heard of the wait; the others may have been on their way.
    const again = during.filter(({ chatId }) => chatId === refusal.chatId);
    const isOfAll = storm.isReadable && !isOfOneChat(name, storm.scope);
    const others = isOfAll ? during.filter(({ chatId }) => chatId !== refusal.chatId) : [];
    const late = others.filter(({ at }) => at > refusal.at + IN_FLIGHT_MS[rig.length]);
    const found = again.length + late.length;
    if (found > 0) early.push(`${storm.shape} ${storm.retryAfterMs} ${storm.scope}: ${found}`);
    underWay.push(others.length - late.length);
  }
  const most = Math.max(0, ...underWay);
  verdict.add(name, { refusals: refused.length, 'under way at most': most });
  verdict.bar(`${name}: calls before the wait was over`, early.join(', ') || 0, early.length === 0);
  verdict.bar(`${name}: calls under way`, most, most <= IN_FLIGHT);
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
  const concerned = ({ chatId }) => !ofChat || chatId === refusal.chatId;
  const later = writes.filter(
    (write) => concerned(write) && write.at > refusal.at + IN_FLIGHT_MS[rig.length],
  ).length;
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
