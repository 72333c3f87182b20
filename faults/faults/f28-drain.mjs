import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

const MAX_MS = 30_000;

/** SIGTERM: work in progress finishes and no message is uncertain. */
export const f28 = {
  id: 'F28',
  title: 'SIGTERM of every process under load',
  lengths: {
    short: { chats: 10, messages: 240, perSecond: 40, rounds: 1 },
    long: { chats: 125, messages: 24_000, perSecond: 200, rounds: 5 },
  },
  async run(rig, { rounds, ...load }, verdict) {
    await rig.open({
      processes: { api: 'api', gateway: 'gateway', worker: 'worker' },
      platforms: { telegram: {}, slack: { options: { retriesMs: Array(20).fill(1_000) } } },
    });
    const { figures } = await underLoad(rig, load, verdict, async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const one of rig.random.shuffle(Object.values(rig.processes))) {
          await sleep(rig.random.integer(200, 1_000));
          const { code, ms } = await one.stop();
          verdict.criterion(`${one.name}: exit code`, code, code === 0);
          verdict.timeCriterion(`${one.name}: time to exit`, `${Math.round(ms)} ms`, ms <= MAX_MS);
          await one.start();
        }
      }
    });
    const starts = Object.values(rig.processes).map((one) => one.starts - 1);
    verdict.happened('restarts of each process', Math.min(...starts), rounds);
    const doubtful = figures.uncertain + figures.marked;
    verdict.criterion('uncertain + marked', doubtful, doubtful === 0);
  },
};
