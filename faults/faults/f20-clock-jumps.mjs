import { underLoad } from '../load/standard.mjs';
import { findFaketime, OwnClock } from '../rig/own-clock.mjs';
import { sleep, until } from '../rig/waiting.mjs';

const HOUR = 3_600;
/** Tolerance in seconds, for clock differences between machines and requests that wait on a busy one. */
const NEAR = 60;
const WAIT_MS = 4_000;
const IN_FLIGHT_MS = 500;
const SCHEDULED = 5;
/** Minimum TTL of a message. */
const TTL_S = 60;
const DAY_MS = 86_400_000;

/** Each jump sets the clock `seconds` ahead of the true time. */
const JUMPS = [
  { what: 'an hour forward', seconds: () => HOUR },
  { what: 'an hour back', seconds: () => -HOUR },
  { what: 'correct', seconds: () => 0 },
  { what: 'a leap second', seconds: () => -1 },
  { what: 'start of summer time', seconds: () => until2026('03-29T00:59:59Z') },
  { what: 'end of summer time', seconds: () => until2026('10-25T00:59:59Z') },
  { what: 'correct again', seconds: () => 0 },
];

/** Number of jumps large enough to show in a `Date` header. */
const BIG = JUMPS.filter(({ seconds }) => Math.abs(seconds()) > NEAR).length;

/** The clock of one of two replicas jumps. Due times depend only on the clock of the database. */
export const f20 = {
  id: 'F20',
  title: 'Clock jump of an hour, leap second, summer time on one replica',
  lengths: {
    short: { chats: 10, messages: 240, perSecond: 20, holdMs: 2_500 },
    long: { chats: 125, messages: 12_000, perSecond: 100, holdMs: 15_000 },
  },
  async run(rig, { holdMs, ...load }, verdict) {
    const library = findFaketime();
    if (library === undefined) {
      throw new Error('libfaketime is not installed. On Debian and Ubuntu, install the package libfaketime.');
    }
    const clock = new OwnClock(library, rig.folder);
    await rig.open({
      processes: { steady: 'api,worker,gateway', jumping: 'api,worker,gateway' },
      platforms: { telegram: {}, slack: {}, discord: {} },
      own: { jumping: clock.env },
    });
    const { slack } = rig.platforms;
    const call = await slack.ask('createCall');
    const answers = [];
    let seen = 0;
    let heldId;
    await underLoad(rig, load, verdict, async ({ chats }) => {
      heldId = await sendHeld(rig, load.chats);
      for (const { seconds } of rig.random.shuffle(JUMPS.slice(0, -1)).concat(JUMPS.at(-1))) {
        const off = seconds();
        clock.move(off);
        rig.receiver.refusals += 3;
        await slack.ask('fault', {
          fault: { kind: 'rate_limited', retryAfterMs: WAIT_MS, shape: 'native', scope: 'account' },
          call,
        });
        await rig.platforms.discord.ask('fault', { fault: { kind: 'status', status: 500 }, times: 2 });
        answers.push(...(await schedule(rig, rig.random.pick(chats), holdMs)));
        await sleep(holdMs);
        if (Math.abs(off) > NEAR && (await isOffBy(rig.processes.jumping, off))) seen += 1;
      }
    });
    judgeWaits(await slack.ask('writes'), verdict);
    await judgeSchedule(rig, answers, verdict);
    await judgeTtl(rig, heldId, verdict);
    await judgeTimes(rig, verdict);
    const { starts } = rig.processes.jumping;
    verdict.criterion('starts of the jumping process', starts, starts === 1);
    verdict.happened('jumps of an hour or more shown by the process', seen, BIG);
    verdict.add('jumps', JUMPS.length);
  },
};

/** Every response carries the time of the process. */
async function isOffBy({ url }, seconds) {
  const answer = await fetch(`${url}/healthz`);
  return Math.abs(Date.parse(answer.headers.get('date')) - Date.now() - seconds * 1000) < 5_000;
}

function until2026(moment) {
  return Math.round((Date.parse(`2026-${moment}`) - Date.now()) / 1000);
}

/** Schedules messages through the replica with the wrong clock. Resolves with the status codes. */
async function schedule(rig, { conversationId }, inMs) {
  const { url } = rig.processes.jumping;
  const statuses = [];
  for (let each = 0; each < SCHEDULED; each += 1) {
    const body = {
      conversation_id: conversationId,
      text: 'At its time.',
      ttl_seconds: TTL_S,
      send_at: new Date(Date.now() + inMs + 1_000).toISOString(),
    };
    const { status } = await rig.api.once('POST', '/v1/openapi/messages', { body, url });
    statuses.push(status);
  }
  return statuses;
}

/** A rate limit of Slack applies to one chat. */
function judgeWaits(writes, verdict) {
  const refused = writes.filter(({ fault }) => fault === 'rate_limited');
  const early = refused.flatMap(({ at, chatId }) =>
    writes.filter(
      (write) => write.chatId === chatId && write.at > at + IN_FLIGHT_MS && write.at < at + WAIT_MS - 50,
    ),
  );
  verdict.criterion('rate limited requests', refused.length, refused.length > 0);
  verdict.criterion('calls before the wait was over', early.length, early.length === 0);
}

async function judgeSchedule(rig, answers, verdict) {
  const taken = answers.filter((status) => status === 201).length;
  verdict.criterion('scheduled messages accepted', `${taken} of ${answers.length}`, taken === answers.length);
  const look = () =>
    rig.query(
      `SELECT extract(epoch FROM d.sent_at - m.send_at)::float AS late FROM messages m
       JOIN deliveries d ON d.message_id = m.id WHERE m.text = 'At its time.' AND d.sent_at IS NOT NULL`,
    );
  await until(async () => (await look()).length >= taken, 60_000);
  const late = (await look()).map((row) => row.late);
  const off = late.filter((seconds) => seconds < 0 || seconds > NEAR);
  verdict.criterion('scheduled messages sent', `${late.length} of ${taken}`, late.length === taken);
  verdict.criterion('scheduled messages sent early, or over a minute late', off.length, off.length === 0);
}

/** Sends a message with a short TTL to a chat that Telegram rate limits for a day. Resolves with the id of the message. */
async function sendHeld(rig, from) {
  const { telegram } = rig.platforms;
  const [chatId] = await telegram.ask('chats', from, 1);
  const { id: conversationId } = await rig.api.call('POST', '/v1/openapi/conversations', {
    type: 'group',
    links: [{ connection_id: telegram.connectionId, external_id: chatId, attribution: 'none' }],
  });
  const call = await telegram.ask('createCall');
  const fault = { kind: 'rate_limited', retryAfterMs: DAY_MS, shape: 'native', scope: 'chat' };
  await telegram.ask('fault', { fault, call, chatId });
  const body = { conversation_id: conversationId, text: 'Soon of no use.', ttl_seconds: TTL_S };
  const { url } = rig.processes.jumping;
  return (await rig.api.once('POST', '/v1/openapi/messages', { body, url })).body?.id;
}

/** The message expires after its TTL by the clock of the database. The sent messages have the same TTL. */
async function judgeTtl(rig, id, verdict) {
  const look = async () =>
    (
      await rig.query(
        `SELECT d.status, extract(epoch FROM d.updated_at - m.created_at)::float AS after FROM messages m
         JOIN deliveries d ON d.message_id = m.id WHERE m.id = $1`,
        [id ?? null],
      )
    )[0];
  await until(async () => (await look())?.status === 'expired', 240_000, 500);
  const { status, after = 0 } = (await look()) ?? {};
  verdict.happened('messages held longer than their TTL', status === 'expired' ? 1 : 0);
  const isInTime = after >= TTL_S && after <= TTL_S + NEAR;
  verdict.criterion('expired after its TTL', `${after.toFixed(1)} s`, isInTime);
  const [{ odd, n }] = await rig.query(
    `SELECT count(*)::int AS n, count(*) FILTER (WHERE abs(extract(epoch FROM
       expires_at - coalesce(send_at, created_at)) - $1) > 2)::int AS odd
     FROM messages WHERE text IN ('At its time.', 'Soon of no use.')`,
    [TTL_S],
  );
  verdict.criterion('messages with a wrong TTL', `${odd} of ${n}`, odd === 0 && n > 0);
}

/** Every timestamp is a time of the database. */
async function judgeTimes(rig, verdict) {
  const signed = Math.round(rig.receiver.furthest);
  verdict.criterion('seconds between signature and arrival', signed, signed <= NEAR);
  const [{ n }] = await rig.query(
    `SELECT count(*)::int AS n FROM messages
     WHERE abs(extract(epoch FROM uuid_extract_timestamp(id) - created_at)) > $1`,
    [NEAR],
  );
  verdict.criterion('messages with a wrong time in their id', n, n === 0);
}
