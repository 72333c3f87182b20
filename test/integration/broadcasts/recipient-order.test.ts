import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

/** A broadcast that is being sent to ten recipients. None of them has been processed. */
async function begun(): Promise<string> {
  const id = await stage.create({ audience: { recipients: addresses('alpha', 10) } });
  await stage.step(id);
  return id;
}

/** The places of recipients with this status, in the frozen order. */
const places = (id: string, status: string) =>
  values<number>(
    stage.pool,
    `SELECT n::int FROM (SELECT status, row_number() OVER (ORDER BY created_at, id) AS n
       FROM broadcast_recipients WHERE broadcast_id = $1) r WHERE status = $2 ORDER BY n`,
    [id, status],
  );

/** While `work` runs, a worker that will fail has taken this many recipients. */
async function whileTaken(id: string, count: number, work: () => Promise<void>): Promise<void> {
  const worker = await stage.pool.connect();
  try {
    await worker.query('BEGIN');
    await worker.query(
      'SELECT n.ids FROM broadcasts b, lock_next_recipients(b, $2, true) n WHERE b.id = $1',
      [id, count],
    );
    await work();
  } finally {
    await worker.query('ROLLBACK');
    worker.release();
  }
}

/** Rows of conversation members that this client has read so far. */
async function participantsRead(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ read: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'participants'`,
  );
  return rows[0]?.read ?? 0;
}

describe('recipients of a broadcast', () => {
  it('follow the order in which they were frozen', async () => {
    const id = await begun();
    expect((await stage.work.sendChunk(id, 4)).sent).toBe(4);
    expect(await places(id, 'queued')).toEqual([1, 2, 3, 4]);
    expect((await stage.work.sendChunk(id, 4)).sent).toBe(4);
    expect(await places(id, 'pending')).toEqual([9, 10]);
  });

  it('are found again when a worker that had claimed some of them died and later ones were claimed', async () => {
    const id = await begun();
    await whileTaken(id, 3, async () => {
      const { sent } = await stage.work.sendChunk(id, 4);
      expect(sent).toBe(4);
    });
    expect(await places(id, 'queued')).toEqual([4, 5, 6, 7]);
    expect((await stage.work.sendChunk(id, 100)).sent).toBe(3);
    expect(await places(id, 'pending')).toEqual([1, 2, 3]);
    expect((await stage.work.sendChunk(id, 100)).sent).toBe(3);
    expect(await places(id, 'pending')).toEqual([]);
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('are waited for by a job while another worker holds the last of them', async () => {
    const id = await begun();
    await whileTaken(id, 10, async () => {
      await values(stage.pool, 'DELETE FROM outbox RETURNING id', []);
      const { sent } = await stage.work.sendChunk(id, 4);
      expect(sent).toBe(0);
      const [waits] = await values<boolean>(
        stage.pool,
        `SELECT run_at > now() - interval '1 second' FROM outbox WHERE payload->>'broadcast_id' = $1`,
        [id],
      );
      expect(waits).toBe(true);
      expect((await stage.get(id)).status).toBe('sending');
    });
    expect((await stage.work.sendChunk(id, 10)).sent).toBe(10);
  });

  it('that failed are selected again on a retry', async () => {
    const id = await begun();
    await stage.work.sendChunk(id, 10);
    await stage.pool.query(
      `UPDATE broadcasts SET status = 'completed', counts = counts || '{"pending": 0, "failed": 10}' WHERE id = $1`,
      [id],
    );
    await stage.pool.query(
      `UPDATE deliveries d SET status = 'failed' FROM messages m WHERE m.id = d.message_id AND m.broadcast_id = $1`,
      [id],
    );
    await stage.pool.query(`UPDATE broadcast_recipients SET status = 'failed' WHERE broadcast_id = $1`, [id]);
    await stage.control.retry(stage.caller, id);
    expect(await places(id, 'pending')).toHaveLength(10);
    expect((await stage.work.sendChunk(id, 6)).sent).toBe(6);
    expect((await stage.work.sendChunk(id, 6)).sent).toBe(4);
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('that were passed over also end when the broadcast is canceled', async () => {
    const id = await begun();
    await whileTaken(id, 3, async () => {
      await stage.work.sendChunk(id, 4);
    });
    await stage.control.cancel(stage.caller, id);
    expect(await stage.get(id)).toMatchObject({ status: 'canceled', counts: { pending: 0, canceled: 10 } });
  });

  it('cost the same however many conversations the sender has', async () => {
    const audience = { recipients: addresses('alpha', 1_500) };
    const earlier = await stage.create({ audience });
    await stage.step(earlier);
    for (let sent = 1; sent > 0; ) ({ sent } = await stage.work.sendChunk(earlier, 500));
    await stage.pool.query('ANALYZE participants, conversations, links');
    const id = await stage.create({ audience });
    await stage.step(id);
    const worker = await stage.pool.connect();
    try {
      await worker.query('BEGIN');
      const before = await participantsRead(worker);
      await worker.query('SELECT send_broadcast_chunk($1, 50)', [id]);
      expect((await participantsRead(worker)) - before).toBeLessThan(50 * 4);
    } finally {
      await worker.query('ROLLBACK');
      worker.release();
    }
  });
});
