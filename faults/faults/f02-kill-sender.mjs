import { judgeSends } from '../ledger/outbound.mjs';
import { Sender } from '../load/sender.mjs';

const MOMENTS = ['before the write', 'after the write', 'before the record'];

/**
 * kill -9 of the process that sends: before the platform has the message, before its answer, before it is recorded. What was not
 * written stays uncertain where a request may still be in progress and the platform recognises no repeated one.
 */
export const f02 = {
  id: 'F2',
  title: 'SIGKILL of the sending process before the write, after it, and before its record',
  lengths: {
    short: { chats: 10, messages: 160, perSecond: 60, rounds: 1 },
    long: { chats: 50, messages: 8_000, perSecond: 120, rounds: 4 },
  },
  async run(rig, { chats: each, messages, perSecond, rounds }, verdict) {
    await rig.open({
      processes: { api: 'api,gateway', worker: 'worker' },
      platforms: { telegram: {}, discord: {}, slack: {}, sms: {} },
    });
    const chats = await rig.conversations(each);
    const sender = new Sender(rig);
    const load = sender.run(rig.random.shuffle(chats), { count: messages, perSecond });
    const names = rig.random.shuffle(Object.keys(rig.platforms));
    let inFlight = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, moment] of MOMENTS.entries()) {
        inFlight += await strike(rig, rig.platforms[names[(at + round) % names.length]], moment);
      }
    }
    await load;
    const seconds = await rig.quiet(240_000);
    const sends = await judgeSends(rig, sender.sends);
    verdict.nothingWrong('sends', sends);
    verdict.accepted(sender.sends, messages);
    verdict.struck('kills at their moment', rig.processes.worker.starts - 1, MOMENTS.length * rounds);
    verdict.bar(
      'everything settled',
      seconds === undefined ? 'no' : `${seconds.toFixed(1)} s`,
      seconds !== undefined,
    );
    const doubtful = sends.figures.uncertain + sends.figures.marked;
    verdict.bar('uncertain or twice ≤ in flight', `${doubtful} of ${inFlight}`, doubtful <= inFlight);
    const { discord } = rig.platforms;
    const onDiscord = await judgeSends(
      rig,
      ofChats(sender, ({ platform }) => platform === discord),
      sender.sends,
    );
    verdict.bar('twice on Discord', onDiscord.figures.marked, onDiscord.figures.marked === 0);
    const early = await chatsStruckEarly(rig);
    const inThem = ofChats(sender, ({ platform, chatId }) => early.has(`${platform.name} ${chatId}`));
    const { figures } = await judgeSends(rig, inThem, sender.sends);
    verdict.bar('twice where the kill came before the write', figures.marked, figures.marked === 0);
  },
};

function ofChats(sender, fits) {
  return sender.sends.filter(({ chat }) => fits(chat));
}

/** Chats whose write was in the platform's hands, and not done, when its sender was killed. */
async function chatsStruckEarly(rig) {
  const chats = new Set();
  for (const platform of Object.values(rig.platforms)) {
    for (const { fault, chatId } of await platform.ask('writes'))
      if (fault === 'drop_before') chats.add(`${platform.name} ${chatId}`);
  }
  return chats;
}

/** Resolves with how many writes were under way at the kill. */
async function strike(rig, platform, moment) {
  const { worker } = rig.processes;
  const { starts } = worker;
  const skip = rig.random.integer(2, 8);
  const died = new Promise((resolve) => {
    if (moment === 'before the record') {
      const hit = () => {
        worker.strike();
        resolve();
      };
      rig.gates.worker.trap({ statement: 'settle_deliveries', moment: 'asked', skip, strike: hit });
    } else void platform.struck().then(resolve);
  });
  if (moment !== 'before the record') {
    const when = moment === 'before the write' ? 'before' : 'after';
    await platform.ask('killAtWrite', { pid: worker.pid, moment: when, skip });
  }
  await died;
  const inFlight = await rig.underWay();
  await rig.lapse('worker');
  await worker.ready(starts);
  return inFlight;
}
