import { judgeBroadcast, startBroadcast } from '../ledger/broadcast.mjs';
import { underLoad } from '../load/standard.mjs';
import { sleep, until } from '../rig/waiting.mjs';

/** Time limit for work to resume. Short runs may share their machine. */
const RESUME_S = { short: 60, long: 30 };

/** FLUSHALL deletes every queued job and every worker lock. */
export const f05 = {
  id: 'F5',
  title: 'Redis FLUSHALL at random instants',
  needsRedis: true,
  lengths: {
    short: { chats: 10, messages: 160, perSecond: 60, recipients: 300, flushes: 9 },
    long: { chats: 250, messages: 12_000, perSecond: 200, recipients: 10_000, flushes: 9 },
  },
  async run(rig, { recipients, flushes, ...load }, verdict) {
    await rig.open({ queue: 'redis', platforms: { telegram: {}, discord: {} } });
    const broadcast = await startBroadcast(rig, rig.platforms.telegram, recipients);
    let deleted = 0;
    const waits = [];
    const flush = async () => {
      deleted += await rig.redis.call('DBSIZE');
      await rig.redis.call('FLUSHALL');
      waits.push(await secondsUntilWrites(rig));
    };
    await underLoad(rig, load, verdict, async ({ spanMs }) => {
      for (let number = 0; number < flushes; number += 1) {
        await sleep(rig.random.integer(1, (2 * spanMs) / flushes));
        await flush();
      }
      await sleep(spanMs / 10);
      await flush();
    });
    const { counts } = await judgeBroadcast(rig, broadcast, verdict);
    verdict.criterion('broadcast: sent', counts.sent, counts.sent === recipients);
    const longest = Math.max(...waits);
    verdict.timeCriterion('work resumes', `${longest.toFixed(1)} s at most`, longest <= RESUME_S[rig.length]);
    verdict.happened('keys deleted by FLUSHALL', deleted, flushes);
    verdict.happened('flushes while deliveries waited', waits.filter((seconds) => seconds > 0).length);
    verdict.add('flushes', flushes + 1);
  },
};

/** Seconds until one of the messages waiting now is sent, or 0 if none waits. */
async function secondsUntilWrites(rig) {
  const startedAt = performance.now();
  const [{ due, at }] = await rig.query(
    `SELECT clock_timestamp() AS at, (SELECT array_agg(id) FROM (SELECT id FROM deliveries
       WHERE status = 'queued' ORDER BY position LIMIT 20) d) AS due`,
  );
  if (due === null) return 0;
  const wrote = async () =>
    (await rig.query('SELECT 1 FROM deliveries WHERE id = ANY ($1) AND sent_at > $2 LIMIT 1', [due, at]))
      .length > 0;
  return (await until(wrote, 120_000, 50)) === true ? (performance.now() - startedAt) / 1000 : 120;
}
