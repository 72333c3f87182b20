import { underLoad } from '../load/standard.mjs';
import { findFaketime, OwnClock } from '../rig/own-clock.mjs';
import { sleep, until } from '../rig/waiting.mjs';

const HOUR = 3_600;
/** Seconds that a time may be off by: clocks of machines that agree, and requests that wait on a busy one. */
const NEAR = 60;
const WAIT_MS = 4_000;
const IN_FLIGHT_MS = 500;
const SCHEDULED = 5;
/** The shortest life of a message that may be asked for. */
const TTL_S = 60;
const DAY_MS = 86_400_000;

/** The clock shows so many seconds more than the true one, from that moment on. */
const JUMPS = [
  { what: 'an hour forward', seconds: () => HOUR },
  { what: 'an hour back', seconds: () => -HOUR },
  { what: 'right', seconds: () => 0 },
  { what: 'a leap second', seconds: () => -1 },
  { what: 'the night in which summer time begins', seconds: () => until2026('03-29T00:59:59Z') },
  { what: 'the night in which it ends', seconds: () => until2026('10-25T00:59:59Z') },
  { what: 'right again', seconds: () => 0 },
];

/** Those whose jump an answer shows, which tells whole seconds. */
const BIG = JUMPS.filter(({ seconds }) => Math.abs(seconds()) > NEAR).length;

/** One of two replicas has a clock that jumps; what is due is due by the one of the database, whoever looks. */
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
      throw new Error('libfaketime is not installed; on Debian and Ubuntu it is the package libfaketime.');
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
    let kept;
    await underLoad(rig, load, verdict, async ({ chats }) => {
      kept = await sendHeldUp(rig, load.chats);
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
    await judgeTtl(rig, kept, verdict);
    await judgeTimes(rig, verdict);
    const { starts } = rig.processes.jumping;
    verdict.bar('lived through it', starts, starts === 1);
    verdict.struck('jumps by an hour or more that the process shows', seen, BIG);
    verdict.add('jumps', JUMPS.length);
  },
};

/** The process tells its time with every answer. */
async function isOffBy({ url }, seconds) {
  const answer = await fetch(`${url}/healthz`);
  return Math.abs(Date.parse(answer.headers.get('date')) - Date.now() - seconds * 1000) < 5_000;
}

function until2026(moment) {
  return Math.round((Date.parse(`2026-${moment}`) - Date.now()) / 1000);
}

/** Messages for a little later, asked of the replica whose clock is wrong. Resolves with the statuses. */
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

/** Slack names the chat that has to wait. */
function judgeWaits(writes, verdict) {
  const refused = writes.filter(({ fault }) => fault === 'rate_limited');
  const early = refused.flatMap(({ at, chatId }) =>
    writes.filter(
      (write) => write.chatId === chatId && write.at > at + IN_FLIGHT_MS && write.at < at + WAIT_MS - 50,
    ),
  );
  verdict.bar('refusals', refused.length, refused.length > 0);
  verdict.bar('calls before the wait was over', early.length, early.length === 0);
}

async function judgeSchedule(rig, answers, verdict) {
  const taken = answers.filter((status) => status === 201).length;
  verdict.bar('scheduled messages accepted', `${taken} of ${answers.length}`, taken === answers.length);
  const look = () =>
    rig.query(
      `SELECT extract(epoch FROM d.sent_at - m.send_at)::float AS late FROM messages m
       JOIN deliveries d ON d.message_id = m.id WHERE m.text = 'At its time.' AND d.sent_at IS NOT NULL`,
    );
  await until(async () => (await look()).length >= taken, 60_000);
  const late = (await look()).map((row) => row.late);
  const off = late.filter((seconds) => seconds < 0 || seconds > NEAR);
  verdict.bar('scheduled messages sent', `${late.length} of ${taken}`, late.length === taken);
  verdict.bar('sent before their time or a minute after it', off.length, off.length === 0);
}

/** A message with a short life, of the replica whose clock jumps, to a chat that Telegram holds for a day. Resolves with its id. */
async function sendHeldUp(rig, beyond) {
  const { telegram } = rig.platforms;
  const [chatId] = await telegram.ask('chats', beyond, 1);
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

/** It ends when its life does, by the clock of the database; those that were sent have lives of that length as well. */
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
  verdict.struck('messages that were held beyond their life', status === 'expired' ? 1 : 0);
  verdict.bar('expired after its life', `${after.toFixed(1)} s`, after >= TTL_S && after <= TTL_S + NEAR);
  const [{ odd, n }] = await rig.query(
    `SELECT count(*)::int AS n, count(*) FILTER (WHERE abs(extract(epoch FROM
       expires_at - coalesce(send_at, created_at)) - $1) > 2)::int AS odd
     FROM messages WHERE text IN ('At its time.', 'Soon of no use.')`,
    [TTL_S],
  );
  verdict.bar('lives of another length', `${odd} of ${n}`, odd === 0 && n > 0);
}

/** Whatever carries a time carries the one of the database. */
async function judgeTimes(rig, verdict) {
  const signed = Math.round(rig.receiver.furthest);
  verdict.bar('seconds between a signature and its arrival', signed, signed <= NEAR);
  const [{ n }] = await rig.query(
    `SELECT count(*)::int AS n FROM messages
     WHERE abs(extract(epoch FROM uuid_extract_timestamp(id) - created_at)) > $1`,
    [NEAR],
  );
  verdict.bar('messages whose id tells another time', n, n === 0);
}
