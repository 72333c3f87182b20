import { join } from 'node:path';
import { underLoad } from '../load/standard.mjs';
import { makeNextRelease } from '../rig/next-release.mjs';
import { PROGRAM } from '../rig/service.mjs';
import { LONG_RETRIES_MS, QUICK_RETRIES_MS } from '../rig/slack-retries.mjs';
import { sleep } from '../rig/waiting.mjs';

/** Processes are upgraded one after the other and then rolled back. An old process is killed in between. */
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
      await phase('both processes old');
      await switchTo(one, next.program, verdict);
      await phase('one process upgraded');
      const { starts } = two;
      two.kill();
      await rig.lapse('two');
      await two.ready(starts);
      verdict.happened('restarts of an old process during the upgrade', two.starts - starts);
      await phase('one process upgraded, the other restarted');
      await switchTo(two, next.program, verdict);
      await phase('both processes upgraded');
      await switchTo(one, PROGRAM, verdict);
      await phase('one process rolled back');
      await switchTo(two, PROGRAM, verdict);
      await phase('both processes rolled back');
    });
    for (const [at, { what, from }] of phases.entries()) {
      const to = phases[at + 1]?.from ?? Number.POSITIVE_INFINITY;
      const sent = sender.sends.filter(({ ackedAt }) => ackedAt >= from && ackedAt < to).length;
      verdict.happened(`sends accepted with ${what}`, sent);
    }
    const [{ schema }] = await rig.query('SELECT max(version) AS schema FROM schema_migrations');
    verdict.happened('schema files added by the next release', schema - next.known);
    // Processes of this release have since started on the newer schema. They must not restore their functions.
    const [{ functions }] = await rig.query(
      `SELECT count(*)::int AS functions FROM pg_proc
       WHERE proname = 'accepting_release' OR (proname = 'accept_messages' AND prosrc LIKE '%accepting_release()%')`,
    );
    verdict.criterion('functions of the next release = 2', functions, functions === 2);
    // The killed process may have had this many writes in progress on each of three platforms.
    const doubtful = figures.uncertain + figures.marked;
    verdict.criterion('uncertain + marked ≤ in flight at the kill', doubtful, doubtful <= 32 * 3);
  },
};

/** Stops a process with SIGTERM and starts it from another release. */
async function switchTo(process, program, verdict) {
  const { code } = await process.stop();
  process.program = program;
  const { starts } = process;
  await process.start();
  const what = program === PROGRAM ? 'this release' : 'the next release';
  verdict.criterion(
    `${process.name} switched to ${what}, exit code`,
    `${code}`,
    code === 0 && process.starts > starts,
  );
}
