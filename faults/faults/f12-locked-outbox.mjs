import pg from 'pg';
import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** A request waits for a connection for five seconds at each of its steps and for the lock for ten. */
const ANSWER_LIMIT_MS = 25_000;

/** Somebody holds the outbox, so that every writer waits and the pool runs dry; then all connections break. */
export const f12 = {
  id: 'F12',
  title: 'A lock on the outbox until the pool is exhausted, and every connection cut meanwhile',
  lengths: {
    short: { chats: 20, messages: 300, perSecond: 60, lockedMs: 6_000 },
    long: { chats: 250, messages: 12_000, perSecond: 200, lockedMs: 40_000 },
  },
  async run(rig, { lockedMs, ...load }, verdict) {
    await rig.open({ platforms: { telegram: {}, discord: {} } });
    let waiting = 0;
    let ends = 0;
    const { sender } = await underLoad(rig, load, verdict, async () => {
      await sleep(rig.random.integer(500, 1_500));
      const holder = new pg.Client(rig.postgres.admin(rig.database));
      await holder.connect();
      await holder.query('BEGIN; LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE');
      await sleep(lockedMs / 2);
      // Whoever waits loses his connection, and the server goes on with what he asked for.
      waiting = await waitingForOutbox(rig);
      ends = rig.gates.service.cut();
      await sleep(lockedMs / 2);
      await holder.query('COMMIT');
      await holder.end();
    });
    verdict.struck('statements that wait for the outbox', waiting);
    verdict.struck('ends of connections that broke', ends, 2 * waiting);
    const [{ deadlocks }] = await rig.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    verdict.bar('deadlocks', deadlocks, deadlocks === '0');
    verdict.bar('lived through it', rig.processes.service.starts, rig.processes.service.starts === 1);
    const longest = `${(sender.longestMs / 1_000).toFixed(1)} s`;
    verdict.bar('the longest answer', longest, sender.longestMs <= ANSWER_LIMIT_MS);
    verdict.bar('requests without an answer', sender.answers[0] ?? 0, sender.answers[0] === undefined);
    verdict.add('answers', sender.answers);
  },
};

async function waitingForOutbox(rig) {
  const [{ n }] = await rig.query(
    `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'outbox'::regclass`,
  );
  return n;
}
