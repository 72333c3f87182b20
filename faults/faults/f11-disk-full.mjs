import { underLoad } from '../load/standard.mjs';
import { QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** What the server needs beside the load is far less. */
const OWN_DISK = { volumeMb: 1_024, settings: { max_wal_size: '192MB', min_wal_size: '32MB' } };

/** The disk of the database has no room left, and then some again; nobody starts anything by hand. */
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
      // What the server gives back at a checkpoint is taken as well, until somebody is refused.
      do {
        await volume.fill();
        await sleep(100);
      } while (!refused() && Date.now() - fullAt < 60_000);
      for (const end = Date.now() + fullMs; Date.now() < end; await sleep(200)) await volume.fill();
      await volume.free();
    });
    const ready = await until(async () => (await rig.api.once('GET', '/readyz')).status === 200, 60_000);
    verdict.bar('ready again', ready === true ? 'yes' : 'no', ready === true);
    const { starts } = rig.processes.service;
    verdict.bar('the process lived through it', starts, starts === 1);
    const refusals = sender.answers[503] ?? 0;
    verdict.struck('requests that were told so', refusals);
    verdict.add('answers', sender.answers);
  },
};
