import { join } from 'node:path';
import { underLoad } from '../load/standard.mjs';
import { makeNextRelease } from '../rig/next-release.mjs';
import { PROGRAM } from '../rig/service.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** One process after another becomes one of the next release, and then each goes back; an old one dies in the middle. */
export const f27 = {
  id: 'F27',
  title: 'Rolling deploy from this release to the next one, with a new schema and new functions, and back',
  lengths: {
    short: { chats: 10, messages: 500, perSecond: 5, holdMs: 1_500 },
    long: { chats: 125, messages: 24_000, perSecond: 100, holdMs: 20_000 },
  },
  async run(rig, { holdMs, ...load }, verdict) {
    const next = await makeNextRelease(join(rig.folder, 'next-release'));
    const retriesMs = rig.length === 'short' ? QUICK_RETRIES_MS : LONG_RETRIES_MS;
    await rig.open({
      processes: { one: 'api,worker,gateway', two: 'api,worker,gateway' },
      platforms: { telegram: {}, discord: {}, slack: { options: { retriesMs } } },
    });
    const { one, two } = rig.processes;
    const phases = [];
    const { sender, figures } = await underLoad(rig, { ...load, throughout: true }, verdict, async () => {
      const phase = async (what) => {
        phases.push({ what, from: Date.now() });
        await sleep(holdMs);
      };
      await phase('only old ones');
      await become(one, next.program, verdict);
      await phase('one of each');
      const { starts } = two;
      two.strike();
      await rig.lapse('two');
      await two.ready(starts);
      verdict.struck('an old one dies and comes back beside a new one', two.starts - starts);
      await phase('one of each, the old one later');
      await become(two, next.program, verdict);
      await phase('only new ones');
      await become(one, PROGRAM, verdict);
      await phase('one of each, on the way back');
      await become(two, PROGRAM, verdict);
      await phase('only old ones again');
    });
    for (const [at, { what, from }] of phases.entries()) {
      const to = phases[at + 1]?.from ?? Number.POSITIVE_INFINITY;
      const sent = sender.sends.filter(({ ackedAt }) => ackedAt >= from && ackedAt < to).length;
      verdict.struck(`sends accepted by ${what}`, sent);
    }
    const [{ schema }] = await rig.query('SELECT max(version) AS schema FROM schema_migrations');
    verdict.struck('schema files of the next release', schema - next.known);
    // Processes of this release have started on the newer database since, and may not have put their functions back.
    const [{ functions }] = await rig.query(
      `SELECT count(*)::int AS functions FROM pg_proc
       WHERE proname = 'accepting_release' OR (proname = 'accept_messages' AND prosrc LIKE '%accepting_release()%')`,
    );
    verdict.bar('functions of the next release = 2', functions, functions === 2);
    // The one that was killed may have had as many in its hands as a worker sends at once, on each platform.
    const doubtful = figures.uncertain + figures.marked;
    verdict.bar('uncertain or twice ≤ in flight at the kill', doubtful, doubtful <= 32 * 3);
  },
};

/** SIGTERM, and the same process from another tree. */
async function become(process, program, verdict) {
  const { code } = await process.stop();
  process.program = program;
  const { starts } = process;
  await process.start();
  const what = program === PROGRAM ? 'this release' : 'the next one';
  verdict.bar(`${process.name} becomes ${what}`, `${code}`, code === 0 && process.starts > starts);
}
