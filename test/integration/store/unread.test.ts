import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bridgeStage } from '../../support/bridge.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const WINDOW = 500;
/** The definition of the count, message by message. */
const UNREAD = `
  SELECT count(*)::int AS unread FROM (
    SELECT m.id, m.sender_id FROM messages m WHERE m.conversation_id = $1 AND m.deleted_at IS NULL AND m.status <> 'scheduled' AND m.created_at >= coalesce(
      (SELECT joined_at FROM participants WHERE conversation_id = $1 AND user_id = $2), '-infinity')
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${WINDOW}) newest
  WHERE sender_id <> $2 AND NOT EXISTS (SELECT FROM read_receipts r WHERE r.message_id = newest.id AND r.user_id = $2)
    AND NOT EXISTS (SELECT FROM messages m WHERE m.id = newest.id AND m.status = 'canceled' AND m.sent_at IS NULL AND m.send_at IS NOT NULL)`;
/** Three in each millisecond. */
const FILL = `
  INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status, created_at)
  SELECT uuid7(), $1, $2, 1, s.sender, 'text', 'internal', 'sent', '2026-01-01'::timestamptz + n / 3 * interval '1 ms'
  FROM unnest($3::uuid[]) WITH ORDINALITY AS s (sender, n) RETURNING id`;

let database: TestDatabase;
let stage: Awaited<ReturnType<typeof bridgeStage>>;
let room: string;
let me: string;
const other = uuidv7();

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  stage = await bridgeStage(database.pool);
  room = await stage.conversation();
  me = stage.memberId;
  await database.pool.query(
    `INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1::uuid, $2, 'contact', $1::uuid::text, 'Other')
     ON CONFLICT (id) DO UPDATE SET workspace_id = excluded.workspace_id`,
    [other, stage.workspaceId],
  );
  await database.pool.query(
    'INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, $4)',
    [room, other, stage.workspaceId, 'customer'],
  );
  await database.pool.query(`UPDATE participants SET joined_at = '-infinity' WHERE conversation_id = $1`, [
    room,
  ]);
});

async function write(senders: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(FILL, [stage.workspaceId, room, senders]);
  return rows.map(({ id }) => id);
}

const read = (message: string, reader = me) =>
  database.pool.query('SELECT record_message_read(m, $2, now(), NULL) FROM messages m WHERE id = $1', [
    message,
    reader,
  ]);
const schedule = (message: string) =>
  database.pool.query(
    `UPDATE messages SET status = 'scheduled', send_at = now() + interval '1 hour' WHERE id = $1`,
    [message],
  );
const cancel = (message: string) =>
  database.pool.query(`UPDATE messages SET status = 'canceled', send_at = now() WHERE id = $1`, [message]);
const remove = (message: string) => stage.messages.delete(stage.scope, message, me);

async function expectRight(viewer = me): Promise<number> {
  const { rows } = await database.pool.query<{ unread: number }>(UNREAD, [room, viewer]);
  const records = await database.pool.query<{ record: { unread_count: number } }>(
    'SELECT conversation_record(c, $2::uuid) AS record FROM conversations c WHERE id = $1',
    [room, viewer],
  );
  expect(records.rows[0]?.record.unread_count).toBe(rows[0]?.unread);
  return rows[0]?.unread ?? -1;
}

describe('unread_count', () => {
  it('equals a full recount after any writes, schedules, cancellations, reads and deletions', async () => {
    const act = fc.record({
      what: fc.constantFrom('write', 'write own', 'read', 'read', 'delete', 'join', 'schedule', 'cancel'),
      which: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (acts) => {
        room = await stage.conversation();
        const messages: string[] = [];
        for (const { what, which } of acts) {
          const chosen = messages[which % Math.max(1, messages.length)];
          if (what === 'write' || what === 'write own') {
            messages.push(...(await write([what === 'write' ? other : me, other])));
          } else if (what === 'join') {
            await database.pool.query(
              `UPDATE participants SET joined_at = '2026-01-01'::timestamptz + $2 * interval '1 ms' WHERE conversation_id = $1`,
              [room, which % 2],
            );
          } else if (chosen !== undefined && what === 'read') {
            await read(chosen);
          } else if (chosen !== undefined && what === 'schedule') {
            await schedule(chosen);
          } else if (chosen !== undefined && what === 'cancel') {
            await cancel(chosen);
          } else if (chosen !== undefined) {
            await remove(chosen);
            messages.splice(messages.indexOf(chosen), 1);
          }
          await expectRight();
          await expectRight(other);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is counted among the newest five hundred, including messages with equal timestamps', async () => {
    const messages = await write(Array(WINDOW + 5).fill(other));
    expect(await expectRight()).toBe(WINDOW);
    for (const message of messages.slice(0, 9)) {
      await read(message);
      await expectRight();
    }
    expect(await expectRight()).toBe(WINDOW - 4);
    for (const message of messages.slice(300, 310)) await remove(message);
    expect(await expectRight()).toBe(WINDOW + 5 - 9 - 10);
  });

  it('leaves out a scheduled message that is canceled before it was sent', async () => {
    const [, second = ''] = await write([other, other]);
    await schedule(second);
    expect(await expectRight()).toBe(1);
    await cancel(second);
    expect(await expectRight()).toBe(1);
    await read(second);
    expect(await expectRight()).toBe(1);
  });

  it('stays correct when two people are merged', async () => {
    const [own = '', first = '', second = ''] = await write([me, other, other]);
    await Promise.all([read(first), read(own, other), read(second, other)]);
    expect(await expectRight()).toBe(1);
    await database.pool.query('SELECT move_conversations($1, $2)', [other, me]);
    expect(await expectRight()).toBe(0);
    await write([uuidv7()]);
    expect(await expectRight()).toBe(1);
  });
});
