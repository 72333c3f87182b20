import { judgeSends } from '../ledger/outbound.mjs';
import { Sender } from '../load/sender.mjs';

const MOMENTS = ['before the write', 'after the write', 'before the record'];

/** kill -9 of the process that sends: before the platform has the message, before its answer, before it is recorded. */
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
    let struck = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, moment] of MOMENTS.entries()) {
        await strike(rig, rig.platforms[names[(at + round) % names.length]], moment);
        struck += 1;
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
    const inFlight = 32 * 4 * struck;
    verdict.bar(
      'uncertain or twice ≤ in flight',
      sends.figures.uncertain + sends.figures.marked,
      sends.figures.uncertain + sends.figures.marked <= inFlight,
    );
  },
};

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
  await rig.lapse('worker');
  await worker.ready(starts);
}
