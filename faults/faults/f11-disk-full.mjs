import { underLoad } from '../load/standard.mjs';
import { QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Much larger than the server needs without the load. */
const OWN_DISK = { volumeMb: 1_024, settings: { max_wal_size: '192MB', min_wal_size: '32MB' } };

/** The PostgreSQL disk fills up and is freed. The service must recover without manual action. */
export const f11 = {
  id: 'F11',
  title: 'PostgreSQL disk full, then freed',
  ownPostgres: true,
  postgres: OWN_DISK,
  lengths: {
    short: { chats: 10, messages: 400, perSecond: 20, fullMs: 10_000 },
    long: { chats: 250, messages: 12_000, perSecond: 200, fullMs: 60_000 },
  },
  async run(rig, { fullMs, ...load }, verdict) {
    await rig.open({
      platforms: {
        telegram: { settings: { ingress: 'webhook' } },
        slack: { options: { retriesMs: QUICK_RETRIES_MS } },
      },
    });
    const { volume } = rig.postgres;
    const { sender } = await underLoad(rig, load, verdict, async ({ sender: clients, spanMs }) => {
      await sleep(rig.random.integer(spanMs / 20, spanMs / 10));
      rig.postgres.keepUp();
      const refused = () => (clients.answers[503] ?? 0) > 0;
      const fullAt = Date.now();
      // A checkpoint frees space. Fill that as well until a request is refused.
      do {
        await volume.fill();
        await sleep(100);
      } while (!refused() && Date.now() - fullAt < 60_000);
      for (const end = Date.now() + fullMs; Date.now() < end; await sleep(200)) await volume.fill();
      await volume.free();
    });
    const ready = await until(async () => (await rig.api.once('GET', '/readyz')).status === 200, 60_000);
    verdict.criterion('ready again', ready === true ? 'yes' : 'no', ready === true);
    const { starts } = rig.processes.service;
    verdict.criterion('starts of the service process', starts, starts === 1);
    const refusals = sender.answers[503] ?? 0;
    verdict.happened('requests refused with 503', refusals);
    verdict.add('answers', sender.answers);
  },
};
