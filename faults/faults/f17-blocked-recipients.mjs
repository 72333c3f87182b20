import { judgeBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { inParallel, until } from '../rig/waiting.mjs';

const SHARE = 0.3;

/** People who block the bot are tried once, and not again by the next broadcast. */
export const f17 = {
  id: 'F17',
  title: '30 % of the recipients have blocked the account',
  lengths: { short: { recipients: 400 }, long: { recipients: 10_000 } },
  async run(rig, { recipients }, verdict) {
    await rig.open({ platforms: { telegram: {} } });
    const { telegram } = rig.platforms;
    const addresses = await telegram.ask('addresses', 100_000, recipients);
    const blocked = new Set(addresses.filter(() => rig.random.next() < SHARE));
    await inParallel([...blocked], 20, (address) => telegram.ask('befall', 'setBlocked', address, true));
    verdict.struck('people who have blocked it', blocked.size, recipients / 5);
    for (const round of ['first', 'second']) {
      const before = (await telegram.ask('writes')).length;
      const broadcast = await startBroadcast(rig, telegram, recipients);
      const seconds = await rig.quiet(240_000);
      // Telegram tells of each of them, and is asked for no more than a hundred at a time.
      const told = await until(async () => (await telegram.ask('unconfirmed')) === 0, 600_000, 200);
      verdict.bar(`${round}: what Telegram tells is heard`, told === true ? 'yes' : 'no', told === true);
      verdict.bar(`${round}: settled`, seconds?.toFixed(1) ?? 'no', seconds !== undefined);
      const { counts } = await (round === 'first'
        ? judgeBroadcast(rig, broadcast, verdict)
        : read(rig, broadcast));
      const tries = (await telegram.ask('writes')).slice(before).filter(({ chatId }) => blocked.has(chatId));
      const most = Math.max(0, ...counted(tries).values());
      verdict.bar(`${round}: tries of one who blocked`, most, most <= (round === 'first' ? 1 : 0));
      verdict.bar(`${round}: sent`, counts.sent, counts.sent === recipients - blocked.size);
      verdict.add(round, { recipients, sent: counts.sent, failed: counts.failed, skipped: counts.skipped });
    }
  },
};

function read(rig, { id }) {
  return rig.api.call('GET', `/v1/openapi/broadcasts/${id}`);
}

function counted(tries) {
  const counts = new Map();
  for (const { chatId } of tries) counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  return counts;
}
