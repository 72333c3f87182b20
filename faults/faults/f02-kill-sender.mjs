import { judgeSends } from '../ledger/outbound.mjs';
import { Sender } from '../load/sender.mjs';

const MOMENTS = ['before the write', 'after the write', 'before the record'];

/**
 * SIGKILL of the sending process before the platform writes the message, before it responds, and before the result is recorded.
 * An unwritten message stays uncertain if its request may be in progress and the platform does not detect repeated requests.
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
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, moment] of MOMENTS.entries()) {
        await killAtMoment(rig, rig.platforms[names[(at + round) % names.length]], moment);
      }
    }
    await load;
    const seconds = await rig.quiet(240_000);
    const sends = await judgeSends(rig, sender.sends);
    verdict.nothingWrong('sends', sends);
    verdict.accepted(sender.sends, messages);
    verdict.happened('kills at the chosen moment', rig.processes.worker.starts - 1, MOMENTS.length * rounds);
    verdict.criterion(
      'everything settled',
      seconds === undefined ? 'no' : `${seconds.toFixed(1)} s`,
      seconds !== undefined,
    );
    const { inFlight } = rig.writes;
    const doubtful = sends.figures.uncertain + sends.figures.marked;
    verdict.criterion('uncertain + marked ≤ in flight', `${doubtful} of ${inFlight}`, doubtful <= inFlight);
    const { discord } = rig.platforms;
    const onDiscord = await judgeSends(
      rig,
      ofChats(sender, ({ platform }) => platform === discord),
      sender.sends,
    );
    verdict.criterion(
      'marked duplicates on Discord',
      onDiscord.figures.marked,
      onDiscord.figures.marked === 0,
    );
    const early = await chatsKilledEarly(rig);
    const earlySends = ofChats(sender, ({ platform, chatId }) => early.has(`${platform.name} ${chatId}`));
    const { figures } = await judgeSends(rig, earlySends, sender.sends);
    verdict.criterion('marked duplicates, kill before the write', figures.marked, figures.marked === 0);
  },
};

function ofChats(sender, fits) {
  return sender.sends.filter(({ chat }) => fits(chat));
}

/** Chats whose sender was killed after the platform received a request and before it wrote. */
async function chatsKilledEarly(rig) {
  const chats = new Set();
  for (const platform of Object.values(rig.platforms)) {
    for (const { fault, chatId } of await platform.ask('writes'))
      if (fault === 'drop_before') chats.add(`${platform.name} ${chatId}`);
  }
  return chats;
}

/** Records the writes in progress at the kill. */
async function killAtMoment(rig, platform, moment) {
  const { worker } = rig.processes;
  const { starts } = worker;
  const skip = rig.random.integer(2, 8);
  const died = new Promise((resolve) => {
    if (moment === 'before the record') {
      const hit = () => {
        worker.kill();
        resolve();
      };
      rig.gates.worker.trap({ statement: 'settle_deliveries', moment: 'asked', skip, onHit: hit });
    } else void platform.nextFault().then(resolve);
  });
  if (moment !== 'before the record') {
    const when = moment === 'before the write' ? 'before' : 'after';
    await platform.ask('killAtWrite', { pid: worker.pid, moment: when, skip });
  }
  await died;
  await rig.writes.record();
  await rig.lapse('worker');
  await worker.ready(starts);
}
