import { judgeBroadcast, reached, readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { inParallel, until } from '../rig/waiting.mjs';

const SHARE = 0.3;
/** Share of the unwilling recipients that an event reports. The others are found when a send fails. */
const REPORTED = 1 / 3;
const EVENTS = 'event';

/** A recipient who blocked the bot or sent STOP gets no try if an event reported it, and one try otherwise. */
export const f17 = {
  id: 'F17',
  title: '30 % of the recipients have blocked the account or opted out, most of them unnoticed',
  lengths: { short: { recipients: 200 }, long: { recipients: 10_000 } },
  async run(rig, { recipients }, verdict) {
    await rig.open({ platforms: { telegram: {}, sms: {} } });
    const { telegram, sms } = rig.platforms;
    await judgePlatform(rig, telegram, { recipients, refuse: block, word: 'blocked' }, verdict);
    await judgePlatform(rig, sms, { recipients, refuse: optOut, word: 'opted out' }, verdict);
  },
};

async function block(telegram, address) {
  await telegram.ask('disturb', 'setBlocked', address, true);
}

async function optOut(sms, address) {
  await sms.ask('post', { chatId: address, sender: 'Ada', text: 'STOP' });
}

async function judgePlatform(rig, platform, { recipients, refuse, word }, verdict) {
  const { name } = platform;
  const addresses = await platform.ask('addresses', 100_000, recipients);
  const unwilling = addresses.filter(() => rig.random.next() < SHARE);
  const reported = new Set(unwilling.filter(() => rig.random.next() < REPORTED));
  const unreported = new Set(unwilling.filter((address) => !reported.has(address)));
  // The platform sends no event for these.
  await platform.ask('fault', { fault: { kind: 'lose' }, call: EVENTS, times: 1e9 });
  await inParallel([...unreported], 20, (address) => refuse(platform, address));
  await platform.ask('clearFaults');
  await inParallel([...reported], 20, (address) => refuse(platform, address));
  await eventsProcessed(rig, platform, reported.size);
  verdict.happened(`${name}: ${word}, not reported`, unreported.size, recipients * SHARE * 0.3);
  verdict.happened(`${name}: ${word}, reported`, reported.size);
  for (const round of ['first', 'second']) {
    const before = (await platform.ask('writes')).length;
    const broadcast = await startBroadcast(rig, platform, recipients);
    const seconds = await rig.quiet(600_000);
    const what = `${name}, ${round} broadcast`;
    verdict.criterion(`${what}: settled`, seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    const { counts } =
      round === 'first'
        ? await judgeBroadcast(rig, broadcast, verdict, what)
        : await readBroadcast(rig, broadcast);
    const tries = countedBy((await platform.ask('writes')).slice(before));
    const wanted = round === 'first' ? 1 : 0;
    const wrong = [...unreported].filter((address) => (tries.get(address) ?? 0) !== wanted).length;
    verdict.criterion(`${what}: not reported, tries other than ${wanted}`, wrong, wrong === 0);
    const tried = [...reported].filter((address) => tries.has(address)).length;
    verdict.criterion(`${what}: reported, but tried`, tried, tried === 0);
    const { failed, skipped, total } = counts;
    const sent = reached(counts);
    const expected = [
      recipients - unwilling.length,
      wanted * unreported.size,
      reported.size + (1 - wanted) * unreported.size,
    ];
    const isExact = total === recipients && `${[sent, failed, skipped]}` === `${expected}`;
    verdict.criterion(
      `${what}: sent, failed, skipped`,
      `${sent}, ${failed}, ${skipped} of ${expected.join(', ')}`,
      isExact,
    );
    verdict.add(what, { recipients, sent, failed, skipped });
  }
}

/** Waits until the events are processed. Telegram returns at most 100 updates per request. */
async function eventsProcessed(rig, platform, count) {
  if (platform.name === 'sms') await rig.stored('inbound', count, 600_000);
  else await until(async () => (await platform.ask('unconfirmed')) === 0, 600_000, 200);
  await rig.quiet(600_000);
}

function countedBy(writes) {
  const counts = new Map();
  for (const { chatId } of writes) counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  return counts;
}
