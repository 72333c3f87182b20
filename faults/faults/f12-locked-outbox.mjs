import pg from 'pg';
import { underLoad } from '../load/standard.mjs';
import { sleep } from '../rig/waiting.mjs';

/** A request waits up to 5 s for a connection at each step and up to 10 s for the lock. */
const ANSWER_LIMIT_MS = 25_000;

/** A lock on the outbox blocks every writer until the pool is exhausted. Then all connections are cut. */
export const f12 = {
  id: 'F12',
  title: 'A lock on the outbox until the pool is exhausted, and all connections cut during the lock',
  lengths: {
    short: { chats: 20, messages: 300, perSecond: 60, lockedMs: 6_000 },
    long: { chats: 250, messages: 12_000, perSecond: 200, lockedMs: 40_000 },
  },
  async run(rig, { lockedMs, ...load }, verdict) {
    await rig.open({ platforms: { telegram: {}, discord: {} } });
    let waiting = 0;
    let sockets = 0;
    const { sender } = await underLoad(rig, load, verdict, async () => {
      await sleep(rig.random.integer(500, 1_500));
      const holder = new pg.Client(rig.postgres.admin(rig.database));
      await holder.connect();
      await holder.query('BEGIN; LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE');
      await sleep(lockedMs / 2);
      // Waiting statements lose their connections. The server continues to execute them.
      waiting = await waitingForOutbox(rig);
      sockets = rig.gates.service.cut();
      await sleep(lockedMs / 2);
      await holder.query('COMMIT');
      await holder.end();
    });
    verdict.happened('statements waiting for the outbox', waiting);
    verdict.happened('sockets cut, two per connection', sockets, 2 * waiting);
    const [{ deadlocks }] = await rig.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    verdict.criterion('deadlocks', deadlocks, deadlocks === '0');
    const { starts } = rig.processes.service;
    verdict.criterion('starts of the service process', starts, starts === 1);
    const longest = `${(sender.longestMs / 1_000).toFixed(1)} s`;
    verdict.criterion('longest response time', longest, sender.longestMs <= ANSWER_LIMIT_MS);
    verdict.criterion('requests without response', sender.answers[0] ?? 0, sender.answers[0] === undefined);
    verdict.add('answers', sender.answers);
  },
};

async function waitingForOutbox(rig) {
  const [{ n }] = await rig.query(
    `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'outbox'::regclass`,
  );
  return n;
}
