import { describe, expect, it } from 'vitest';
import { createPool } from '../../../src/store/connection/pools.js';
import { PostgresDeliveries } from '../../../src/store/deliveries/deliveries.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { lockWaiters } from '../../support/lock-waiters.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import type { TestDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;
let connection: string;
let conversation: string;

beforeEachOn(async (shared) => {
  database = shared;
  stage = await bridgeStage(database.pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
});

const claim = async (maxLanes = 10) => stage.deliveries.claim(connection, maxLanes);
const textsOf = (tasks: readonly { message: { text: string } }[]) => tasks.map(({ message }) => message.text);
const statusOf = async (messageId: string) =>
  (await stage.message(messageId)).deliveries.map(({ status }) => status);

async function killWorkers(): Promise<void> {
  await stage.pool.query("UPDATE links SET leased_until = now() - interval '1 s' WHERE workspace_id = $1", [
    stage.workspaceId,
  ]);
}

describe('the lane of a link', () => {
  it('returns its messages one after the other, in the order of the conversation', async () => {
    await stage.link(conversation, connection, 'a');
    for (const text of ['1', '2', '3']) await stage.send(conversation, text);
    const seen: string[] = [];
    for (let tasks = await claim(); tasks.length > 0; tasks = await claim()) {
      expect(tasks).toHaveLength(1);
      expect(await claim()).toEqual([]);
      seen.push(...textsOf(tasks));
      await stage.deliveries.settle(tasks.map((task) => sent(task)));
    }
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('waits as a whole while its head waits for a retry, and no other lane does', async () => {
    await stage.link(conversation, connection, 'a');
    const other = await stage.conversation();
    await stage.link(other, connection, 'b');
    await stage.send(conversation, 'head');
    await stage.send(conversation, 'behind');
    const head = await stage.claimOne(connection);
    const later = new Date(Date.now() + 60_000).toISOString();
    await stage.deliveries.settle([ended(head, 'queued', { next_attempt_at: later })]);
    await stage.send(other, 'free');
    expect(textsOf(await claim())).toEqual(['free']);
    await stage.makeDue();
    expect(textsOf(await claim())).toEqual(['head']);
  });

  it('records the response of a platform even if the necessary locks are held for a long time', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'sent');
    const task = await stage.claimOne(connection);
    const hasty = createPool({ ...database.connection, options: '-c lock_timeout=20' }, silentLog);
    const holder = await stage.pool.connect();
    await holder.query('BEGIN; LOCK TABLE attempts');
    const settled = new PostgresDeliveries(hasty).settle([sent(task)]);
    await stage.pool.query('SELECT pg_sleep(0.1)');
    await holder.query('COMMIT');
    holder.release();
    await settled;
    expect(await statusOf(id)).toEqual(['sent']);
    await hasty.end();
  });

  it('continues after an uncertain delivery', async () => {
    await stage.link(conversation, connection, 'a');
    const first = await stage.send(conversation, 'lost');
    await stage.send(conversation, 'next');
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'uncertain')]);
    expect((await stage.message(first.id)).status).toBe('uncertain');
    expect(textsOf(await claim())).toEqual(['next']);
  });

  it('belongs to one worker at a time, however many try', async () => {
    const lanes = 12;
    for (let lane = 0; lane < lanes; lane += 1) {
      const own = await stage.conversation();
      await stage.link(own, connection, `lane-${lane}`);
      for (let n = 0; n < 5; n += 1) await stage.send(own, `${lane}/${n}`);
    }
    const seen: string[] = [];
    const worker = async () => {
      for (let idle = 0; idle < 40; ) {
        const tasks = await claim(3);
        idle = tasks.length === 0 ? idle + 1 : 0;
        seen.push(...textsOf(tasks));
        await Promise.all(tasks.map((task) => stage.deliveries.settle([sent(task)])));
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(lanes * 5);
    for (let lane = 0; lane < lanes; lane += 1) {
      const own = seen.filter((text) => text.startsWith(`${lane}/`));
      expect(own).toEqual([0, 1, 2, 3, 4].map((n) => `${lane}/${n}`));
    }
  });

  it('prefers live traffic to broadcasts', async () => {
    await stage.link(conversation, connection, 'a');
    const other = await stage.conversation();
    await stage.link(other, connection, 'b');
    const bulk = await stage.send(conversation, 'bulk');
    await stage.pool.query('UPDATE deliveries SET priority = 10 WHERE message_id = $1', [bulk.id]);
    await stage.send(other, 'live');
    expect(textsOf(await claim(1))).toEqual(['live']);
  });

  it('is not claimed while the platform asks the account to wait', async () => {
    await stage.link(conversation, connection, 'a');
    await stage.send(conversation, 'x');
    await stage.deliveries.pauseConnection(connection, new Date(Date.now() + 60_000));
    expect(await claim()).toEqual([]);
    await stage.pool.query("UPDATE connections SET paused_until = now() - interval '1 s' WHERE id = $1", [
      connection,
    ]);
    expect(await claim()).toHaveLength(1);
  });

  it('marks the connection as degraded during a wait of more than a minute', async () => {
    const state = async () => {
      const { rows } = await stage.pool.query(
        `SELECT status, health->>'code' AS code FROM connections WHERE id = $1`,
        [connection],
      );
      return rows[0];
    };
    await stage.pool.query(`UPDATE connections SET status = 'connected' WHERE id = $1`, [connection]);
    const before = await state();
    await stage.deliveries.pauseConnection(connection, new Date(Date.now() + 50_000));
    expect(await state()).toEqual(before);
    await stage.deliveries.pauseConnection(connection, new Date(Date.now() + 3_600_000));
    await stage.pool.query('SELECT end_expired_pauses()');
    expect(await state()).toEqual({ status: 'degraded', code: 'rate_limited' });
    await stage.pool.query("UPDATE connections SET paused_until = now() - interval '1 s' WHERE id = $1", [
      connection,
    ]);
    await stage.pool.query('SELECT end_expired_pauses()');
    expect(await state()).toEqual({ status: 'connected', code: 'ok' });
  });

  it('is released when its head was canceled between the check and the lock', async () => {
    await stage.link(conversation, connection, 'a');
    const first = await stage.send(conversation, 'canceled');
    await stage.send(conversation, 'next');
    const client = await stage.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [first.id]);
    const claimed = claim();
    await expect.poll(() => lockWaiters(stage.pool)).toBeGreaterThan(0);
    await client.query(`SELECT delete_message($1, $2, $3, NULL, false)`, [
      stage.workspaceId,
      first.id,
      stage.memberId,
    ]);
    await client.query('COMMIT');
    client.release();
    expect(textsOf(await claimed)).toEqual([]);
    expect(textsOf(await claim())).toEqual(['next']);
    expect(
      await values(
        stage.pool,
        'SELECT 1 FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.message_id = $1',
        [first.id],
      ),
    ).toEqual([]);
  });
});

describe('the fence of a lane', () => {
  it('keeps a worker that returned too late from changing anything but its attempt', async () => {
    const link = await stage.link(conversation, connection, 'a');
    const message = await stage.send(conversation, 'x');
    const old = await stage.claimOne(connection);
    await killWorkers();
    await stage.deliveries.sweep();
    expect(await statusOf(message.id)).toEqual(['uncertain']);
    await stage.deliveries.settle([sent(old, 'late')]);
    const now = await stage.message(message.id);
    expect([now.status, now.deliveries[0]?.parts]).toEqual(['uncertain', []]);
    expect(
      await stage.deliveries.progress(old, [{ index: 0, kind: 'text', status: 'sent', external_id: 'late' }]),
    ).toBe(false);
    expect(
      await values(stage.pool, 'SELECT 1 FROM remote_messages WHERE external_id = $1', ['late']),
    ).toEqual([]);
    const [fence] = await values<string>(stage.pool, 'SELECT fence FROM links WHERE id = $1', [link]);
    expect(Number(fence)).toBeGreaterThan(old.fence);
  });

  it('does not pass to an edit of another message while a send of its lane is uncertain', async () => {
    await stage.link(conversation, connection, 'a');
    const shown = await stage.send(conversation, 'shown');
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    const written = await stage.send(conversation, 'written');
    const stalled = await stage.claimOne(connection);
    await stage.messages.edit(stage.scope, shown.id, { text: 'edited' });
    await killWorkers();
    expect(await claim()).toEqual([]);
    // The stalled worker has written, and reports it before another takes over.
    await stage.deliveries.settle([sent(stalled)]);
    await stage.deliveries.sweep();
    expect(await statusOf(written.id)).toEqual(['sent']);
    const tasks = await claim();
    expect(tasks.map(({ operation, message }) => [operation, message.text])).toEqual([['edit', 'edited']]);
  });

  it('does not pass to an earlier message that is sent again while a send of its lane is uncertain', async () => {
    const actions = new PostgresMessageActions(stage.pool);
    await stage.link(conversation, connection, 'a');
    const earlier = await stage.send(conversation, 'earlier');
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'failed')]);
    const written = await stage.send(conversation, 'written');
    const stalled = await stage.claimOne(connection);
    await actions.retry(stage.scope, earlier.id);
    await killWorkers();
    expect(await claim()).toEqual([]);
    await stage.deliveries.settle([sent(stalled)]);
    await stage.deliveries.sweep();
    expect(await statusOf(written.id)).toEqual(['sent']);
    expect(textsOf(await claim())).toEqual(['earlier']);
  });

  it('passes to an edit once the send of a dead worker is known to be uncertain', async () => {
    await stage.link(conversation, connection, 'a');
    const shown = await stage.send(conversation, 'shown');
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    const lost = await stage.send(conversation, 'lost');
    await stage.claimOne(connection);
    await stage.messages.edit(stage.scope, shown.id, { text: 'edited' });
    await killWorkers();
    expect(await stage.deliveries.sweep()).toContain(connection);
    expect(await statusOf(lost.id)).toEqual(['uncertain']);
    expect(textsOf(await claim())).toEqual(['edited']);
  });

  it('lets its holder record parts and renew the lease', async () => {
    await stage.link(conversation, connection, 'a');
    const message = await stage.send(conversation, 'x');
    const task = await stage.claimOne(connection);
    await killWorkers();
    const part = { index: 0, kind: 'text', status: 'sent', external_id: 'p0' } as const;
    expect(await stage.deliveries.progress(task, [part])).toBe(true);
    await stage.deliveries.sweep();
    const [delivery] = (await stage.message(message.id)).deliveries;
    expect([delivery?.status, delivery?.parts[0]?.external_id]).toEqual(['sending', 'p0']);
  });
});

describe('a send that returns to its lane', () => {
  it('is canceled instead of repeated when its message was deleted or its chat was unlinked during the send', async () => {
    const link = await stage.link(conversation, connection, 'a');
    const deleted = await stage.send(conversation, 'deleted');
    const task = await stage.claimOne(connection);
    await stage.messages.delete(stage.scope, deleted.id, stage.memberId);
    await stage.deliveries.settle([ended(task, 'queued', { next_attempt_at: new Date().toISOString() })]);
    expect(await statusOf(deleted.id)).toEqual(['canceled']);
    const unlinked = await stage.send(conversation, 'unlinked');
    const second = await stage.claimOne(connection);
    await stage.pool.query('UPDATE links SET removed_at = now() WHERE id = $1', [link]);
    await stage.deliveries.settle([ended(second, 'queued')]);
    expect((await stage.message(unlinked.id)).status).toBe('canceled');
  });

  it('frees the lane and schedules its next attempt', async () => {
    await stage.link(conversation, connection, 'a');
    await stage.send(conversation, 'x');
    const at = new Date(Date.now() + 10_000).toISOString();
    await stage.deliveries.settle([
      ended(await stage.claimOne(connection), 'queued', { next_attempt_at: at }),
    ]);
    const [reminder] = await values<Date>(
      stage.pool,
      `SELECT run_at FROM outbox WHERE topic = 'deliver' AND payload->>'connection_id' = $1 AND run_at IS NOT NULL`,
      [connection],
    );
    expect(reminder?.toISOString()).toBe(at);
  });
});

describe('the sweeper', () => {
  it('makes an abandoned attempt uncertain, closes it, and plans a lookup if the policy says so', async () => {
    const asking = await stage.connection('beta', { uncertain_policy: 'reconcile' });
    await stage.link(conversation, connection, 'a');
    await stage.link(conversation, asking, 'b');
    const message = await stage.send(conversation, 'x');
    await stage.claimOne(connection);
    await stage.claimOne(asking);
    expect(await stage.deliveries.sweep()).not.toContain(connection);
    await killWorkers();
    await stage.deliveries.sweep();
    const [held, asked] = (await stage.message(message.id)).deliveries;
    expect([held?.status, held?.next_attempt_at, held?.error?.code]).toEqual([
      'uncertain',
      null,
      'outcome_unknown',
    ]);
    expect([asked?.status, asked?.next_attempt_at]).toEqual(['uncertain', expect.any(String)]);
    const outcomes = await values(
      stage.pool,
      'SELECT outcome FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.message_id = $1',
      [message.id],
    );
    expect(outcomes).toEqual(['uncertain', 'uncertain']);
  });

  it('never schedules another send of a marketing message', async () => {
    const repeating = await stage.connection('beta', { uncertain_policy: 'retry' });
    await stage.link(conversation, repeating, 'b');
    const [marketing, other] = [
      await stage.send(conversation, 'Buy', { category: 'marketing' }),
      await stage.send(conversation, 'Hi'),
    ];
    await stage.claimOne(repeating);
    await killWorkers();
    await stage.deliveries.sweep();
    await stage.claimOne(repeating);
    await killWorkers();
    await stage.deliveries.sweep();
    expect((await stage.message(marketing.id)).deliveries[0]?.next_attempt_at).toBeNull();
    expect((await stage.message(other.id)).deliveries[0]?.next_attempt_at).not.toBeNull();
  });

  it('ends expired deliveries: queued ones expire, unknown ones fail', async () => {
    await stage.link(conversation, connection, 'a');
    const unknown = await stage.send(conversation, 'unknown');
    await stage.deliveries.settle([ended(await stage.claimOne(connection), 'uncertain')]);
    const waiting = await stage.send(conversation, 'waiting');
    await stage.pool.query(
      "UPDATE deliveries SET expires_at = now() - interval '1 s' WHERE workspace_id = $1",
      [stage.workspaceId],
    );
    expect(await claim()).toEqual([]);
    await stage.deliveries.sweep();
    expect(await stage.message(waiting.id)).toMatchObject({ status: 'expired', error: { code: 'expired' } });
    expect(await stage.message(unknown.id)).toMatchObject({
      status: 'failed',
      error: { code: 'outcome_unknown' },
      deliveries: [{ resolution: 'timeout' }],
    });
  });

  it('returns the connections that have work and no others', async () => {
    const idle = await stage.connection('beta');
    await stage.link(conversation, connection, 'a');
    await stage.send(conversation, 'x');
    const woken = await stage.deliveries.sweep();
    expect(woken).toContain(connection);
    expect(woken).not.toContain(idle);
  });
});
