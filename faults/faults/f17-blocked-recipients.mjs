import { judgeBroadcast, reached, readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { inParallel, until } from '../rig/waiting.mjs';

const SHARE = 0.3;
/** Of how many of those who want nothing the platform tells; the others are found out by trying. */
const TOLD = 1 / 3;
const EVENTS = 'event';

/** People who block the bot, or write STOP, are tried once when nobody has told it, and never when somebody has. */
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
  await telegram.ask('befall', 'setBlocked', address, true);
}

async function optOut(sms, address) {
  await sms.ask('post', { chatId: address, sender: 'Ada', text: 'STOP' });
}

async function judgePlatform(rig, platform, { recipients, refuse, word }, verdict) {
  const { name } = platform;
  const addresses = await platform.ask('addresses', 100_000, recipients);
  const unwilling = addresses.filter(() => rig.random.next() < SHARE);
  const told = new Set(unwilling.filter(() => rig.random.next() < TOLD));
  const untold = new Set(unwilling.filter((address) => !told.has(address)));
  // These the platform keeps for itself.
  await platform.ask('fault', { fault: { kind: 'lose' }, call: EVENTS, times: 1e9 });
  await inParallel([...untold], 20, (address) => refuse(platform, address));
  await platform.ask('clearFaults');
  await inParallel([...told], 20, (address) => refuse(platform, address));
  await heard(rig, platform, told.size);
  verdict.struck(`${name}: ${word} and not told`, untold.size, recipients * SHARE * 0.3);
  verdict.struck(`${name}: ${word} and told`, told.size);
  for (const round of ['first', 'second']) {
    const before = (await platform.ask('writes')).length;
    const broadcast = await startBroadcast(rig, platform, recipients);
    const seconds = await rig.quiet(600_000);
    const what = `${name}, ${round}`;
    verdict.bar(`${what}: settled`, seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    const { counts } =
      round === 'first'
        ? await judgeBroadcast(rig, broadcast, verdict, what)
        : await readBroadcast(rig, broadcast);
    const tries = countedBy((await platform.ask('writes')).slice(before));
    const wanted = round === 'first' ? 1 : 0;
    const odd = [...untold].filter((address) => (tries.get(address) ?? 0) !== wanted).length;
    verdict.bar(`${what}: not told, and not tried ${wanted} times`, odd, odd === 0);
    const bothered = [...told].filter((address) => tries.has(address)).length;
    verdict.bar(`${what}: told, and tried nevertheless`, bothered, bothered === 0);
    const { failed, skipped, total } = counts;
    const sent = reached(counts);
    const due = [recipients - unwilling.length, wanted * untold.size, told.size + (1 - wanted) * untold.size];
    const isExact = total === recipients && `${[sent, failed, skipped]}` === `${due}`;
    verdict.bar(
      `${what}: sent, failed, skipped`,
      `${sent}, ${failed}, ${skipped} of ${due.join(', ')}`,
      isExact,
    );
    verdict.add(what, { recipients, sent, failed, skipped });
  }
}

/** What the platform tells has been taken in. Telegram is asked for no more than a hundred at a time. */
async function heard(rig, platform, count) {
  if (platform.name === 'sms') await rig.stored('inbound', count, 600_000);
  else await until(async () => (await platform.ask('unconfirmed')) === 0, 600_000, 200);
  await rig.quiet(600_000);
}

function countedBy(writes) {
  const counts = new Map();
  for (const { chatId } of writes) counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  return counts;
}
