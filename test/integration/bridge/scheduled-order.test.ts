import { expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
});

/** Ten messages at this interval; the first is due in a minute. */
async function schedule(stepMs: number, texts = '0123456789'): Promise<string[]> {
  const first = Date.now() + 60_000;
  const ids: string[] = [];
  for (const [n, text] of [...texts].entries()) {
    const send_at = new Date(first + n * stepMs).toISOString();
    ids.push((await stage.send(conversation, text, { send_at })).id);
  }
  return ids;
}

/** Makes them due: all times move back by the same amount. */
const comeDue = () =>
  stage.pool.query(
    `UPDATE messages SET send_at = send_at - interval '2 minutes' WHERE conversation_id = $1 AND due_at IS NOT NULL`,
    [conversation],
  );

const order = async () =>
  (
    await values<string>(
      stage.pool,
      `SELECT m.text FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE d.connection_id = $1 ORDER BY d.position`,
      [connection],
    )
  ).join('');

/** A fixed order that differs from that of the times. */
const shuffled = <T>(items: readonly T[]): T[] =>
  [3, 9, 0, 7, 5, 1, 8, 2, 6, 4].flatMap((at) => items[at] ?? []);

it.each([0, 1, 20])(
  'scheduled messages of a conversation, %i ms apart, are sent in the order of their times, whatever the order of their timers',
  async (stepMs) => {
    const ids = await schedule(stepMs);
    await comeDue();
    await Promise.all(shuffled(ids).map((id) => stage.messages.release(id)));
    expect(await order()).toBe('0123456789');
  },
);

it('one sweep after a restart releases scheduled messages in order, in every conversation', async () => {
  await schedule(1);
  await comeDue();
  const other = await stage.conversation();
  const elsewhere = await stage.connection('beta');
  await stage.link(other, elsewhere, 'b');
  const send_at = new Date(Date.now() - 1_000).toISOString();
  const { id } = await stage.send(other, 'x', { send_at: new Date(Date.now() + 60_000).toISOString() });
  await stage.pool.query('UPDATE messages SET send_at = $2 WHERE id = $1', [id, send_at]);
  await stage.deliveries.sweep();
  expect(await order()).toBe('0123456789');
  expect((await stage.message(id)).status).toBe('queued');
});

it('sweeps and timers of several workers release each message once and in order', async () => {
  const ids = await schedule(0);
  await comeDue();
  await Promise.all([
    stage.deliveries.sweep(),
    ...shuffled(ids).map((id) => stage.messages.release(id)),
    stage.deliveries.sweep(),
  ]);
  expect(await order()).toBe('0123456789');
});

it('a message that a PATCH moves is ordered by its new time, and among equal times by its acceptance', async () => {
  const ids = await schedule(10, '01234');
  const times = await values<string>(
    stage.pool,
    'SELECT wire_time(send_at) FROM messages WHERE conversation_id = $1 ORDER BY send_at',
    [conversation],
  );
  await stage.messages.edit(stage.scope, ids[0] ?? '', { send_at: times[3] ?? '' });
  await stage.messages.edit(stage.scope, ids[4] ?? '', { send_at: times[1] ?? '' });
  await comeDue();
  await Promise.all(shuffled(ids).map((id) => stage.messages.release(id)));
  expect(await order()).toBe('14203');
});

it('a message that is sent at once follows earlier due ones, even if they were not released yet', async () => {
  await schedule(1, '012');
  await comeDue();
  await stage.send(conversation, 'now');
  expect(await order()).toBe('012now');
});

it('a message before its time stays scheduled when an earlier one is released', async () => {
  const [first = '', second = ''] = await schedule(120_000, '01');
  await comeDue();
  expect(await stage.messages.release(second)).toBe(false);
  expect(await stage.messages.release(first)).toBe(true);
  expect(await stage.messages.release(first)).toBe(false);
  expect([await order(), (await stage.message(second)).status]).toEqual(['0', 'scheduled']);
});
