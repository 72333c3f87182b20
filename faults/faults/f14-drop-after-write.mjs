import { judgeSends } from '../ledger/outbound.mjs';
import { Sender } from '../load/sender.mjs';

const SHARE = 0.05;

/** The platform writes the message and drops the connection. Trunkline looks it up, or holds it on Telegram. */
export const f14 = {
  id: 'F14',
  title: 'The platform accepts, then drops the connection, on 5 %',
  lengths: {
    short: { chats: 10, messages: 320, perSecond: 100 },
    long: { chats: 50, messages: 20_000, perSecond: 200 },
  },
  async run(rig, { chats: each, messages, perSecond }, verdict) {
    await rig.open({
      platforms: {
        telegram: { settings: { uncertain_policy: 'hold' } },
        discord: {},
        slack: { settings: { uncertain_policy: 'reconcile' } },
        sms: { settings: { uncertain_policy: 'reconcile' } },
      },
    });
    const chats = await rig.conversations(each);
    for (const platform of Object.values(rig.platforms)) {
      await platform.ask('faultShare', {
        share: SHARE,
        fault: { kind: 'drop_after' },
        seed: rig.random.integer(1, 1e6),
      });
    }
    const sender = new Sender(rig);
    await sender.run(chats, { count: messages, perSecond });
    verdict.accepted(sender.sends, messages);
    const seconds = await rig.quiet(240_000);
    verdict.criterion('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    for (const [name, platform] of Object.entries(rig.platforms)) {
      const own = sender.sends.filter(({ chat }) => chat.platform === platform);
      const dropped = (await platform.ask('writes')).filter(({ fault }) => fault === 'drop_after').length;
      const judged = await judgeSends(rig, own, sender.sends);
      verdict.nothingWrong(name, judged);
      verdict.criterion(`${name}: marked duplicates`, judged.figures.marked, judged.figures.marked === 0);
      // Only held messages stay uncertain. Other platforms can look them up.
      const maxUncertain = name === 'telegram' ? dropped : 0;
      verdict.criterion(
        `${name}: uncertain`,
        judged.figures.uncertain,
        judged.figures.uncertain <= maxUncertain,
      );
      verdict.happened(`responses dropped by ${name}`, dropped, Math.floor(own.length * SHARE));
      verdict.add(`${name} dropped`, dropped);
    }
  },
};
