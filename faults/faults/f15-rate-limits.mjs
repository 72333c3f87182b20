import { judgeBroadcast, reached, readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Maximum of writes in progress when a refusal arrives: the concurrency of a process minus the refused write. */
const MAX_IN_PROGRESS = 49;
/** Tolerance between timestamps of two processes, which are in whole milliseconds. */
const CLOCK_MS = 5;
/** Lower bound of the wait that replaces an invalid one. */
const FALLBACK_MS = 900;
const OBSERVE_MS = 7_000;

/** These platforms limit a single chat, others the account. Discord names the scope. */
const OF_ONE_CHAT = new Set(['telegram', 'slack']);
const OF_EITHER = new Set(['discord']);

/** Valid and invalid ways to state a wait. `leastMs` is the minimum time without calls. */
const STORMS = [
  { retryAfterMs: 2_000, shape: 'native', leastMs: 1_950, scope: 'account', isReadable: true },
  { retryAfterMs: 2_000, shape: 'native', leastMs: 1_950, scope: 'chat', isReadable: true },
  { retryAfterMs: 1_500, shape: 'float', leastMs: 1_450, scope: 'account', isReadable: true },
  { retryAfterMs: 2_000, shape: 'seconds', leastMs: 1_950, scope: 'chat', isReadable: true },
  { retryAfterMs: 1_000, shape: 'absent', leastMs: FALLBACK_MS, scope: 'account' },
  { retryAfterMs: -5_000, shape: 'seconds', leastMs: FALLBACK_MS, scope: 'account' },
  { retryAfterMs: -1_500, shape: 'float', leastMs: FALLBACK_MS, scope: 'chat' },
];

/** Long waits: 1500 ms in a field that is read as seconds, and one day. */
const LONG_WAITS = [
  { what: '1500 ms read as seconds', retryAfterMs: 1_500, shape: 'milliseconds', leastMs: 1_490_000 },
  { what: 'a day', retryAfterMs: 86_400_000, shape: 'seconds', leastMs: 86_300_000 },
];

/** Every platform returns rate limits. No call is made before a wait is over, and each wait causes one refusal. */
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
      await Promise.all(platforms.map((platform) => longWait(rig, platform, wait, verdict)));
    }
  },
};

/** Sends a broadcast for each entry of STORMS. Its first write is refused. */
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
    verdict.criterion(`${what}: completed`, ended === true ? 'yes' : 'no', ended === true);
    const { counts } = await judgeBroadcast(rig, broadcast, verdict, what);
    verdict.criterion(`${what}: sent`, reached(counts), reached(counts) === part);
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
  verdict.happened(`refusals by ${name}`, refused.length, STORMS.length);
  verdict.criterion(`${name}: one refusal per wait`, refused.length, refused.length === STORMS.length);
  const early = [];
  const inProgress = [];
  for (const [number, refusal] of refused.entries()) {
    const storm = STORMS[number] ?? STORMS[0];
    const during = writes.filter(
      ({ at, number: each }) => each > refusal.number && at < refusal.at + leastOf(name, storm),
    );
    // No call to the refused chat is allowed. Calls to other chats may have been in progress.
    const again = during.filter(({ chatId }) => chatId === refusal.chatId);
    const isOfAll = storm.isReadable && !isOfOneChat(name, storm.scope);
    const others = isOfAll ? during.filter(({ chatId }) => chatId !== refusal.chatId) : [];
    const late = await calledLater(rig, platform, refusal, others);
    const found = again.length + late.length;
    if (found > 0) early.push(`${storm.shape} ${storm.retryAfterMs} ${storm.scope}: ${found}`);
    inProgress.push(others.length - late.length);
  }
  const peak = Math.max(0, ...inProgress);
  verdict.add(name, { refusals: refused.length, 'in progress at most': peak });
  verdict.criterion(`${name}: calls before the wait was over`, early.join(', ') || 0, early.length === 0);
  verdict.criterion(`${name}: calls in progress`, peak, peak <= MAX_IN_PROGRESS);
}

/**
 * The writes whose calls began after the process had recorded the refusal. Arrival times prove nothing: calls of a busy
 * process wait for connections, and a busy simulator reads them late.
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
  const refused = tries(refusal.chatId).find(
    ({ error, recordedAt }) => error === 'rate_limited' && recordedAt >= refusal.at,
  );
  if (refused === undefined) throw new Error(`The refusal in chat ${refusal.chatId} was not logged.`);
  return writes.filter(({ chatId, at }) => {
    const call = tries(chatId).findLast(({ calledAt }) => calledAt <= at + CLOCK_MS);
    // A call that was not logged counts as late.
    return call === undefined || call.calledAt > refused.recordedAt;
  });
}

/** Slack sends whole seconds, and its SDK reads only these. */
function leastOf(name, { shape, leastMs }) {
  return name === 'slack' && shape === 'float' ? Math.min(leastMs, 950) : leastMs;
}

/** A wait of hours blocks everything in its scope, and the API shows it. */
async function longWait(rig, platform, { what, retryAfterMs, shape, leastMs }, verdict) {
  const { name } = platform;
  const call = await platform.ask('createCall');
  const earlier = (await platform.ask('writes')).length;
  const fault = { kind: 'rate_limited', retryAfterMs, shape, scope: 'account' };
  await platform.ask('fault', { fault, call });
  const count = 20;
  const from = 500_000 + LONG_WAITS.findIndex((wait) => wait.what === what) * count;
  const broadcast = await startBroadcast(rig, platform, count, from);
  const wasRefused = await until(async () => (await platform.ask('faultWaiting')) === 0, 240_000, 20);
  verdict.happened(`${name}: refusal (${what})`, wasRefused === true ? 1 : 0);
  await sleep(OBSERVE_MS);
  const writes = (await platform.ask('writes')).slice(earlier);
  const refusal = writes.findLast(({ fault: each }) => each === 'rate_limited');
  const ofChat = isOfOneChat(name, 'account');
  const concerned = writes.filter(
    ({ chatId, number }) => number > refusal.number && (!ofChat || chatId === refusal.chatId),
  );
  const later = (await calledLater(rig, platform, refusal, concerned)).length;
  verdict.criterion(`${name}: calls during the wait (${what})`, later, later === 0);
  if (ofChat) await judgeOneChat(rig, platform, { what, refusal, writes, count, leastMs }, verdict);
  else await judgeAccount(rig, platform, what, verdict);
  await rig.api.call('DELETE', `/v1/openapi/broadcasts/${broadcast.id}`);
}

async function judgeAccount(rig, { name, connectionId }, what, verdict) {
  const path = `/v1/openapi/platforms/connections/${connectionId}`;
  const { status, health } = await rig.api.call('GET', path);
  verdict.criterion(
    `${name}: the connection shows the wait (${what})`,
    `${status}, ${health.code}`,
    health.code === 'rate_limited',
  );
  // Clear the limit, so that the next wait can be tested.
  await rig.api.call('POST', `${path}/reconnect`);
  await until(async () => (await rig.api.call('GET', path)).health.code === 'ok', 240_000);
}

/** The refused chat waits and its delivery shows until when. The other chats received their messages. */
async function judgeOneChat(rig, { name }, { what, refusal, writes, count, leastMs }, verdict) {
  const others = writes.filter(({ committed }) => committed).length;
  verdict.criterion(`${name}: writes to other chats`, `${others} of ${count - 1}`, others === count - 1);
  const [held] = await rig.query(
    `SELECT status, extract(epoch FROM next_attempt_at)::float * 1000 AS next FROM deliveries
     WHERE external_chat_id = $1 ORDER BY position DESC LIMIT 1`,
    [refusal.chatId],
  );
  const waitMs = (held?.next ?? 0) - refusal.at;
  const isShown = held?.status === 'queued' && waitMs >= leastMs;
  verdict.criterion(
    `${name}: the delivery shows the wait (${what})`,
    `${held?.status} for ${Math.round(waitMs / 1000)} s`,
    isShown,
  );
}
