import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { PostgresMessages } from '../../../src/store/messages/messages.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { lockWaiters } from '../../support/lock-waiters.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
});

const LATER = () => new Date(Date.now() + 3_600_000).toISOString();
const statusOf = async (id: string) =>
  (await values<string>(stage.pool, 'SELECT status FROM messages WHERE id = $1', [id]))[0];

/** Runs the call. Returns how often it scanned all deliveries. */
async function scansOf(call: string, ...given: unknown[]): Promise<number> {
  const client = await stage.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(call, given);
    const { rows } = await client.query(
      "SELECT seq_scan::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'",
    );
    await client.query('COMMIT');
    return rows[0].scans;
  } finally {
    client.release();
  }
}

const removeConnection = (id: string) => scansOf('SELECT delete_connection($1, $2)', stage.workspaceId, id);
const removeConversation = (id: string) =>
  scansOf('SELECT delete_conversation($1)', {
    workspace_id: stage.workspaceId,
    conversation_id: id,
    viewer_id: stage.memberId,
  });

describe('a connection that is removed', () => {
  it('cancels messages that are scheduled for its chats alone, and writes their events', async () => {
    const other = await stage.connection('beta');
    const [alone, linkedTwice] = [await stage.conversation(), await stage.conversation()];
    await stage.link(alone, connection, 'a');
    await stage.link(alone, other, 'heard', { direction: 'inbound' });
    await stage.link(linkedTwice, connection, 'b');
    await stage.link(linkedTwice, other, 'c');
    const { id } = await stage.send(alone, 'Later', { send_at: LATER() });
    const { id: note } = await stage.send(alone, 'For us', { send_at: LATER(), note: true });
    const { id: kept } = await stage.send(linkedTwice, 'Later', { send_at: LATER() });
    await removeConnection(connection);
    expect([await statusOf(id), await statusOf(note), await statusOf(kept)]).toEqual([
      'canceled',
      'scheduled',
      'scheduled',
    ]);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'message.updated');
    expect(told.map(({ data, extra }) => [data.id, data.status, extra])).toEqual([
      [id, 'canceled', { previous: { status: 'scheduled' } }],
    ]);
    expect(await stage.messages.release(id)).toBe(false);
  });

  it('cancels deliveries in its lanes and outside of them without reading everything that was sent', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'waits');
    const { id: held } = await stage.send(conversation, 'is held');
    await stage.pool.query('UPDATE deliveries SET held = true WHERE message_id = $1', [held]);
    expect(await removeConnection(connection)).toBe(0);
    expect([await statusOf(id), await statusOf(held)]).toEqual(['canceled', 'canceled']);
  });
});

it('a deleted conversation cancels its queued deliveries without reading everything that was sent', async () => {
  const [conversation, other] = [await stage.conversation(), await stage.conversation()];
  await stage.link(conversation, connection, 'a');
  await stage.link(other, connection, 'b');
  const { id } = await stage.send(conversation, 'waits');
  const { id: elsewhere } = await stage.send(other, 'waits as well');
  expect(await removeConversation(conversation)).toBe(0);
  const deliveries = await values<string>(
    stage.pool,
    'SELECT status FROM deliveries WHERE message_id = ANY ($1) ORDER BY position',
    [[id, elsewhere]],
  );
  expect(deliveries).toEqual(['canceled', 'queued']);
});

it('a delivery that enters a lane while its chat is unlinked is canceled by the sweeper', async () => {
  const conversation = await stage.conversation();
  const link = await stage.link(conversation, connection, 'a');
  const client = await stage.pool.connect();
  try {
    // Invisible until it commits. In its own view its chat is still linked.
    await client.query('BEGIN');
    const meanwhile = new PostgresMessages({ query: client.query.bind(client) } as unknown as Pool);
    const { id } = await meanwhile.accept({
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      conversation_id: conversation,
      sender_id: stage.memberId,
      text: 'x',
    });
    await removeConnection(connection);
    await client.query('COMMIT');
    expect(await statusOf(id)).toBe('queued');
    await stage.deliveries.sweep();
    expect([await statusOf(id), (await stage.delivery(id)).link_id]).toEqual(['canceled', link]);
  } finally {
    client.release();
  }
});

it('a conversation is deleted while a send to it is recorded, without a deadlock', async () => {
  const conversation = await stage.conversation();
  const link = await stage.link(conversation, connection, 'a');
  const { id } = await stage.send(conversation, 'is being sent');
  const client = await stage.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM links WHERE id = $1 FOR NO KEY UPDATE', [link]);
    const removed = removeConversation(conversation);
    await expect.poll(() => lockWaiters(stage.pool)).toBe(1);
    await client.query('SELECT FROM messages WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await client.query('COMMIT');
    await removed;
    expect(await statusOf(id)).toBe('canceled');
  } finally {
    client.release();
  }
});
