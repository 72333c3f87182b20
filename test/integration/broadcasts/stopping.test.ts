import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MAX_WRITES } from '../../../src/core/deliveries/dispatch/lease-sizes.js';
import { FRESH_MS } from '../../../src/core/deliveries/dispatch/pre-send-check.js';
import {
  addresses,
  type BroadcastStage,
  broadcastStage,
  wholeSchedule,
} from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { lockWaiters } from '../../support/lock-waiters.js';
import { values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BroadcastStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  connection = await stage.connection('alpha');
});

/** A broadcast with all sends queued. */
async function queued(count: number, fields: object = {}): Promise<string> {
  const id = await stage.create({ audience: { recipients: addresses('alpha', count) }, ...fields });
  await stage.step(id, 2);
  expect(await stage.deliveriesOf(id)).toEqual({ queued: count });
  return id;
}

const isQuiet = (id: string, quiet: boolean) =>
  stage.pool.query('UPDATE broadcasts SET schedule = $2 WHERE id = $1', [
    id,
    quiet ? JSON.stringify(wholeSchedule({ quiet_hours: { from: '00:00', to: '00:00' } })) : null,
  ]);

describe('a pause of a broadcast', () => {
  it('holds queued deliveries, and each is sent once after the broadcast resumes', async () => {
    const id = await queued(8);
    await stage.control.move(stage.caller, id, 'pause');
    expect(await stage.deliveriesOf(id)).toEqual({ 'queued held': 8 });
    const worker = stage.deliverer();
    await worker.run(connection);
    expect(worker.platform.calls).toEqual([]);
    expect(await stage.get(id)).toMatchObject({ status: 'paused', counts: { pending: 8 } });
    await stage.control.move(stage.caller, id, 'resume');
    await stage.step(id);
    await worker.run(connection);
    expect(worker.platform.calls).toHaveLength(8);
    expect(await stage.get(id)).toMatchObject({ status: 'completed', counts: { sent: 8 } });
  });

  it('between a worker’s check and its lease leaves nothing leased', async () => {
    const id = await queued(1);
    const pausing = await stage.pool.connect();
    await pausing.query('BEGIN');
    await pausing.query('SELECT FROM messages WHERE broadcast_id = $1 FOR NO KEY UPDATE', [id]);
    await pausing.query(
      `SELECT set_held(array_agg(d.id), true, NULL) FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE m.broadcast_id = $1`,
      [id],
    );
    const claimed = stage.deliveries.claim(connection, 1);
    await expect.poll(() => lockWaiters(stage.pool)).toBe(1);
    await pausing.query('COMMIT');
    pausing.release();
    expect(await claimed).toEqual([]);
    expect(await stage.deliveriesOf(id)).toEqual({ 'queued held': 1 });
  });

  it('does not delay other messages in the same chats', async () => {
    const id = await queued(1);
    await stage.control.move(stage.caller, id, 'pause');
    const [chat] = await values<string>(
      stage.pool,
      'SELECT conversation_id FROM messages WHERE broadcast_id = $1',
      [id],
    );
    await stage.send(chat!, 'live');
    const worker = stage.deliverer();
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['live']);
    await stage.control.move(stage.caller, id, 'resume');
    await stage.step(id);
    await worker.run(connection);
    expect(worker.platform.texts()).toEqual(['live', 'Hello']);
  });

  it('does not let held deliveries expire, however long it takes', async () => {
    const id = await queued(3);
    await stage.control.move(stage.caller, id, 'pause');
    expect(
      await values(stage.pool, 'SELECT DISTINCT expires_at FROM messages WHERE broadcast_id = $1', [id]),
    ).toEqual([null]);
    await stage.control.move(stage.caller, id, 'resume');
    await stage.step(id);
    const [ends] = await values<Date>(
      stage.pool,
      'SELECT max(expires_at) FROM messages WHERE broadcast_id = $1',
      [id],
    );
    expect(ends!.getTime()).toBeGreaterThan(Date.now() + 86_000_000);
  });

  it('has no expected end, and a new one when it resumes', async () => {
    const id = await stage.create({
      audience: { recipients: addresses('alpha', 9) },
      throttle: { per_minute: 1 },
    });
    await stage.step(id);
    const minutes = async () => (Date.parse((await stage.get(id)).eta ?? '') - Date.now()) / 60_000;
    expect(Math.round(await minutes())).toBe(9);
    await stage.step(id);
    await stage.control.move(stage.caller, id, 'pause');
    expect((await stage.get(id)).eta).toBeNull();
    await stage.control.move(stage.caller, id, 'resume');
    expect(Math.round(await minutes())).toBe(8);
  });

  it('holds a send that fails during it and would be retried', async () => {
    const id = await queued(1);
    const worker = stage.deliverer();
    worker.platform.script = () => {
      throw problem({ kind: 'rate_limited', retryAfterMs: 1, scope: 'chat' });
    };
    const first = worker.platform.script;
    worker.platform.script = async (...call) => {
      await stage.control.move(stage.caller, id, 'pause');
      return first(...call);
    };
    await worker.run(connection);
    expect(await stage.deliveriesOf(id)).toEqual({ 'queued held': 1 });
    expect(await stage.countsAgree(id)).toBe(true);
  });

  it('releases leases that were not sent yet', async () => {
    const id = await queued(90);
    const worker = stage.deliverer();
    let stopped: Promise<unknown> | undefined;
    worker.platform.script = async () => {
      stopped ??= stage.control.move(stage.caller, id, 'pause');
      await stopped;
      // Longer than the result of the check at the lease stays valid.
      await sleep(FRESH_MS + 200);
      return undefined;
    };
    await worker.run(connection);
    const calls = worker.platform.calls.length;
    expect(calls).toBeLessThanOrEqual(MAX_WRITES);
    expect(await stage.deliveriesOf(id)).toEqual({ sent: calls, 'queued held': 90 - calls });
    expect(await stage.countsAgree(id)).toBe(true);
  });
});

describe('quiet hours', () => {
  it('hold queued deliveries when they begin, and release them when they end', async () => {
    const id = await queued(5);
    await isQuiet(id, true);
    await stage.step(id, 2);
    expect((await stage.get(id)).status).toBe('on_hold');
    expect(await stage.deliveriesOf(id)).toEqual({ 'queued held': 5 });
    await isQuiet(id, false);
    await stage.step(id, 2);
    expect((await stage.get(id)).status).toBe('sending');
    expect(await stage.deliveriesOf(id)).toEqual({ queued: 5 });
  });

  it('have a job for their start, and are checked by the sweeper', async () => {
    const clock = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    const soon = clock(60);
    const id = await queued(2, { schedule: { quiet_hours: { from: soon, to: clock(61) } } });
    const jobs = await values<Date>(
      stage.pool,
      `SELECT run_at FROM outbox WHERE topic = 'broadcast' AND payload->>'broadcast_id' = $1 AND run_at > now()`,
      [id],
    );
    expect(jobs.some((at) => at.toISOString().slice(11, 16) === soon)).toBe(true);
    await stage.pool.query('DELETE FROM outbox');
    await isQuiet(id, true);
    await stage.work.requeue();
    expect(
      await values(stage.pool, `SELECT 1 FROM outbox WHERE payload->>'broadcast_id' = $1`, [id]),
    ).toHaveLength(1);
  });

  it('do not end for a broadcast while as many broadcasts are being sent as allowed', async () => {
    const id = await queued(1);
    await isQuiet(id, true);
    await stage.step(id, 2);
    const others: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      others.push(await stage.create({ audience: { recipients: addresses('alpha', 1, 100 + n) } }));
      await stage.step(others[n]!);
    }
    await isQuiet(id, false);
    await stage.step(id);
    expect((await stage.get(id)).status).toBe('on_hold');
    await stage.control.cancel(stage.caller, others[0]!);
    await stage.step(id);
    expect((await stage.get(id)).status).toBe('sending');
  });
});

describe('a cancellation', () => {
  it('cancels queued and held deliveries before the response', async () => {
    const id = await queued(40);
    await stage.control.cancel(stage.caller, id);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 40 });
    const paused = await queued(4, { audience: { recipients: addresses('alpha', 4, 50) } });
    await stage.control.move(stage.caller, paused, 'pause');
    await stage.control.cancel(stage.caller, paused);
    expect(await stage.deliveriesOf(paused)).toEqual({ canceled: 4 });
    expect((await stage.get(paused)).status).toBe('canceled');
  });

  it('ends a send that returns from the platform for a retry', async () => {
    const id = await queued(1);
    const worker = stage.deliverer();
    worker.platform.script = async () => {
      await stage.control.cancel(stage.caller, id);
      throw problem({ kind: 'rate_limited', retryAfterMs: 1, scope: 'chat' });
    };
    await worker.run(connection);
    expect(await stage.deliveriesOf(id)).toEqual({ canceled: 1 });
    expect(await stage.get(id)).toMatchObject({ status: 'canceled', counts: { canceled: 1, pending: 0 } });
  });

  it('is not overtaken by a chunk that began before it', async () => {
    const id = await stage.create({ audience: { recipients: addresses('alpha', 30) } });
    await stage.step(id);
    const chunks = Promise.all(Array.from({ length: 4 }, () => stage.work.sendChunk(id, 5)));
    await stage.control.cancel(stage.caller, id);
    await chunks;
    const { queued: left = 0 } = await stage.deliveriesOf(id);
    expect(left).toBe(0);
    expect(await stage.get(id)).toMatchObject({ status: 'canceled', counts: { canceled: 30 } });
    expect(await stage.countsAgree(id)).toBe(true);
  });
});

describe('a broadcast whose audience is being frozen', () => {
  it('can be canceled, and stays canceled without recipients when it is processed again', async () => {
    const id = await stage.create({ audience: { recipients: addresses('alpha', 5) } });
    const client = await stage.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('prepare ' || $1, 0))`, [id]);
      await stage.step(id);
      expect((await stage.get(id)).status).toBe('preparing');
      await stage.control.cancel(stage.caller, id);
      expect((await stage.get(id)).status).toBe('canceled');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    await stage.step(id);
    expect(await stage.get(id)).toMatchObject({ status: 'canceled', counts: { total: 0 } });
  });
});

describe('a recipient who sends STOP', () => {
  const stop = (address: string) =>
    stage.pool.query(
      `SELECT change_consent(u, 'denied', 'keyword', 'STOP') FROM users u JOIN identities i ON i.user_id = u.id
       WHERE i.workspace_id = $1 AND i.external_id = $2`,
      [stage.workspaceId, address],
    );

  it('does not receive queued or held deliveries', async () => {
    const id = await queued(3);
    await stop('alpha-0');
    await stage.control.move(stage.caller, id, 'pause');
    await stop('alpha-1');
    expect(await stage.deliveriesOf(id)).toEqual({ blocked: 2, 'queued held': 1 });
    expect(await stage.get(id)).toMatchObject({
      counts: { pending: 1, skipped: 2 },
      skip_reasons: { opted_out: 2 },
    });
  });

  it('receives no retry of a send that was in progress', async () => {
    const id = await queued(1);
    const worker = stage.deliverer();
    worker.platform.script = async () => {
      await stop('alpha-0');
      throw problem({ kind: 'rate_limited', retryAfterMs: 1, scope: 'chat' });
    };
    await worker.run(connection);
    expect(await stage.deliveriesOf(id)).toEqual({ blocked: 1 });
    expect(await stage.get(id)).toMatchObject({ status: 'completed', skip_reasons: { opted_out: 1 } });
  });

  it('is skipped by a retry, unless a late receipt confirms the first attempt', async () => {
    const id = await queued(1);
    await stage.deliverer().run(connection);
    const receipt = (state: string) =>
      stage.pool.query(
        `SELECT apply_receipt(x.connection_id, x.external_chat_id, x.external_id, $2,
           '{"code":"platform_error","message":"late","permanent":true,"platform_code":null}', now())
         FROM remote_messages x WHERE x.workspace_id = $1`,
        [stage.workspaceId, state],
      );
    await receipt('failed');
    await stop('alpha-0');
    await stage.control.retry(stage.caller, id);
    await stage.step(id);
    expect(await stage.get(id)).toMatchObject({ counts: { skipped: 1 }, skip_reasons: { opted_out: 1 } });
    expect(await stage.countsAgree(id)).toBe(true);
    await receipt('delivered');
    expect(await stage.get(id)).toMatchObject({
      counts: { skipped: 0, delivered: 1 },
      skip_reasons: {},
    });
    expect(await stage.countsAgree(id)).toBe(true);
  });
});
