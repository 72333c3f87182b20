import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

const MOMENTS = ['asked', 'done', 'random'];

/** SIGKILL of the API process before the commit, between commit and response, and at random times. */
export const f01 = {
  id: 'F1',
  title: 'SIGKILL of the API before the commit, between commit and answer, at random',
  lengths: {
    short: { chats: 10, messages: 200, perSecond: 60, kills: 3 },
    long: { chats: 250, messages: 12_000, perSecond: 200, kills: 20 },
  },
  async run(rig, { kills, ...load }, verdict) {
    await rig.open({
      processes: { api: 'api', rest: 'worker,gateway' },
      platforms: { telegram: {}, discord: {} },
    });
    const { sender } = await underLoad(rig, load, verdict, async () => {
      for (let kill = 0; kill < kills; kill += 1) await killAtMoment(rig, MOMENTS[kill % MOMENTS.length]);
    });
    await sender.repeat();
    const wrong = sender.sends.filter(({ ids }) => ids.size !== 1).length;
    verdict.criterion('keys without exactly one message', wrong, wrong === 0);
    verdict.happened('kills', rig.processes.api.kills, kills);
    verdict.add('kills', rig.processes.api.kills);
  },
};

async function killAtMoment(rig, moment) {
  const { api } = rig.processes;
  const { starts } = api;
  if (moment === 'random') {
    await sleep(rig.random.integer(100, 1_000));
    api.kill();
  } else {
    await new Promise((resolve) => {
      const hit = () => {
        api.kill();
        resolve();
      };
      const skip = rig.random.integer(2, 12);
      rig.gates.api.trap({ statement: 'accept_messages', moment, skip, onHit: hit });
    });
  }
  await rig.lapse('api');
  await api.ready(starts);
}
