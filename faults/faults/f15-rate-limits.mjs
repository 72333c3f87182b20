import { judgeBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** What may still be under way when the first refusal arrives, and how long it may take. */
const IN_FLIGHT = 32;
const IN_FLIGHT_MS = 500;

/** Whom a refusal is about: here a single chat, elsewhere the account. */
const OF_ONE_CHAT = new Set(['telegram', 'slack']);

/** The ways in which waits are told, right and wrong. What can't be read is waited for by a time of the adapter's own. */
const STORMS = [
  { retryAfterMs: 2_000, shape: 'native' },
  { retryAfterMs: 1_500, shape: 'float' },
  { retryAfterMs: 2_000, shape: 'seconds' },
  { retryAfterMs: 1_000, shape: 'absent' },
];

/** The platform asks for waits: nobody calls before they are over, and nobody is asked twice for the same. */
export const f15 = {
  id: 'F15',
  title: '429 told in every shape, and one of a day',
  lengths: { short: { recipients: 400 }, long: { recipients: 10_000 } },
  async run(rig, { recipients }, verdict) {
    const name = rig.random.pick(['telegram', 'discord', 'slack', 'sms']);
    await rig.open({ platforms: { [name]: {} } });
    const platform = rig.platforms[name];
    const call = await platform.ask('createCall');
    const broadcast = await startBroadcast(rig, platform, recipients);
    for (const [at, { retryAfterMs, shape }] of STORMS.entries()) {
      const from = Math.floor((recipients * at) / (STORMS.length + 1));
      await until(
        async () => (await platform.ask('writes')).filter(({ committed }) => committed).length > from,
        240_000,
        20,
      );
      await platform.ask('fault', {
        fault: { kind: 'rate_limited', retryAfterMs, shape, scope: 'account' },
        call,
      });
      await until(async () => (await platform.ask('faultWaiting')) === 0, 240_000, 20);
    }
    const ended = await rig.quiet(240_000);
    verdict.bar('everything settled', ended?.toFixed(1) ?? 'no', ended !== undefined);
    judgeWaits(await platform.ask('writes'), name, verdict);
    const { counts } = await judgeBroadcast(rig, broadcast, verdict);
    verdict.bar('broadcast: sent', counts.sent, counts.sent === recipients);
    await endless(rig, platform, call, verdict);
  },
};

function judgeWaits(writes, name, verdict) {
  const refused = writes.filter(({ fault }) => fault === 'rate_limited');
  verdict.struck('refusals', refused.length, STORMS.length);
  const concerns = (refusal, { chatId }) => !OF_ONE_CHAT.has(name) || chatId === refusal.chatId;
  const early = refused.flatMap((refusal, number) => {
    const { at } = refusal;
    const { retryAfterMs, shape } = STORMS[number] ?? {};
    if (shape === 'absent') return [];
    const own = writes.filter((write) => concerns(refusal, write));
    return own.filter((write) => write.at > at + IN_FLIGHT_MS && write.at < at + retryAfterMs - 50);
  });
  const soonAfter = (refusal) => (write) =>
    concerns(refusal, write) && write.at > refusal.at && write.at <= refusal.at + IN_FLIGHT_MS;
  const underWay = refused.map((refusal) => writes.filter(soonAfter(refusal)).length);
  verdict.add(name, { refusals: refused.length, 'under way at most': Math.max(0, ...underWay) });
  verdict.bar('calls before the wait was over', early.length, early.length === 0);
  verdict.bar('calls under way', Math.max(0, ...underWay), Math.max(0, ...underWay) <= IN_FLIGHT);
}

/** A wait of a day holds everything, and is seen. */
async function endless(rig, platform, call, verdict) {
  await platform.ask('fault', {
    fault: { kind: 'rate_limited', retryAfterMs: 86_400_000, scope: 'account' },
    call,
  });
  await startBroadcast(rig, platform, 50, 500_000);
  await until(async () => (await platform.ask('faultWaiting')) === 0, 240_000, 20);
  const refusal = (await platform.ask('writes')).findLast(({ fault }) => fault === 'rate_limited');
  await sleep(7_000);
  const concerned = ({ chatId }) => !OF_ONE_CHAT.has(platform.name) || chatId === refusal.chatId;
  const writes = (await platform.ask('writes')).filter(concerned);
  const later = writes.filter(({ at }) => at > refusal.at + IN_FLIGHT_MS).length;
  verdict.bar('calls after a wait of a day began', later, later === 0);
  if (OF_ONE_CHAT.has(platform.name)) return;
  const path = `/v1/openapi/platforms/connections/${platform.connectionId}`;
  const { status, health } = await rig.api.call('GET', path);
  verdict.bar('the connection says so', `${status}, ${health.code}`, health.code === 'rate_limited');
}
