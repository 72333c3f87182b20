import { judgeBroadcast, readBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { until } from '../rig/waiting.mjs';

/** G12: no write starts later than a second after the response. Short runs may share their machine. */
const STOPPED_MS = { short: 5_000, long: 1_000 };
const FINAL = ['canceled', 'completed', 'failed', 'expired'];

/** A broadcast is canceled at a random point. The sending process is killed just before or after. */
export const f26 = {
  id: 'F26',
  title: 'Broadcast canceled and its sender killed at a random moment',
  lengths: {
    short: { recipients: 400, rounds: 2 },
    long: { recipients: 10_000, rounds: 50 },
  },
  async run(rig, { recipients, rounds }, verdict) {
    await rig.open({ processes: { api: 'api,gateway', worker: 'worker' }, platforms: { telegram: {} } });
    const { telegram } = rig.platforms;
    let canceled = 0;
    for (let round = 0; round < rounds; round += 1) {
      const from = 100_000 + round * recipients;
      const broadcast = await startBroadcast(rig, telegram, recipients, from);
      const before = (await telegram.ask('writes')).length;
      const at = rig.random.integer(1, recipients * 0.7);
      await until(async () => (await telegram.ask('writes')).length - before >= at, 240_000, 10);
      const killsFirst = rig.random.next() < 0.5;
      if (killsFirst) await kill(rig);
      const canceledAt = await cancel(rig, broadcast);
      if (!killsFirst) await kill(rig);
      const ended = await until(
        async () => FINAL.includes((await readBroadcast(rig, broadcast)).status),
        240_000,
        200,
      );
      verdict.criterion(`round ${round + 1}: broadcast ended`, ended === true ? 'yes' : 'no', ended === true);
      const late = (await telegram.ask('writes')).filter(
        ({ at: writtenAt }) => writtenAt > canceledAt + STOPPED_MS[rig.length],
      );
      verdict.timeCriterion(`round ${round + 1}: late writes`, late.length, late.length === 0);
      const { counts } = await judgeBroadcast(rig, broadcast, verdict, `round ${round + 1}`);
      canceled += counts.canceled;
      verdict.criterion(
        `round ${round + 1}: failed or skipped`,
        counts.failed + counts.skipped,
        counts.failed + counts.skipped === 0,
      );
      verdict.criterion(
        `round ${round + 1}: recipients written to`,
        counts.sent + counts.uncertain,
        counts.sent + counts.uncertain > 0,
      );
    }
    verdict.happened('kills', rig.processes.worker.kills, rounds);
    verdict.happened('canceled recipients', canceled);
    verdict.add('rounds', rounds);
  },
};

async function cancel(rig, { id }) {
  const { status } = await rig.api.once('DELETE', `/v1/openapi/broadcasts/${id}`);
  // 409: the broadcast was already completed.
  if (status !== 204 && status !== 409) throw new Error(`The cancellation returned ${status}.`);
  return Date.now();
}

async function kill(rig) {
  const { worker } = rig.processes;
  const { starts } = worker;
  worker.kill();
  await rig.lapse('worker');
  await worker.ready(starts);
}
