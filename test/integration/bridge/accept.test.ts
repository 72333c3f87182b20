import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  conversation = await stage.conversation();
});

const links = async (...directions: string[]): Promise<string[]> => {
  const connection = await stage.connection('alpha');
  const made: string[] = [];
  for (const direction of directions) {
    made.push(await stage.link(conversation, connection, `chat-${made.length}`, { direction }));
  }
  return made;
};

describe('an accepted message', () => {
  it('has one delivery per outbound link, in the order of the links', async () => {
    const [both, , out] = await links('two_way', 'inbound', 'outbound');
    const message = await stage.send(conversation, 'Hello');
    expect(message.deliveries.map(({ link_id, status }) => [link_id, status])).toEqual([
      [both, 'queued'],
      [out, 'queued'],
    ]);
    expect([message.direction, message.status, message.platform]).toEqual(['outbound', 'queued', null]);
  });

  it('names its platform when it goes to one link', async () => {
    await links('two_way');
    expect(await stage.send(conversation, 'Hello')).toMatchObject({ platform: 'alpha', status: 'queued' });
  });

  it('is internal and sent at once in a conversation without links, or as a note in a conversation with links', async () => {
    const without = await stage.send(conversation, 'Hello');
    expect([without.direction, without.status, without.sent_at]).toEqual([
      'internal',
      'sent',
      expect.any(String),
    ]);
    await links('two_way');
    const note = await stage.send(conversation, 'Among us', { note: true });
    expect([note.direction, note.status, note.deliveries]).toEqual(['internal', 'sent', []]);
  });

  it('ignores broken and removed links', async () => {
    const [broken, removed] = await links('two_way', 'two_way');
    await stage.deliveries.markLinkBroken(broken!);
    await stage.pool.query('UPDATE links SET removed_at = now() WHERE id = $1', [removed]);
    expect((await stage.send(conversation, 'Hello')).direction).toBe('internal');
  });

  it('is the same message when its id is repeated', async () => {
    await links('two_way');
    const id = uuidv7();
    const first = await stage.send(conversation, 'Hello', { id });
    const again = await stage.send(conversation, 'Something else', { id });
    expect([again.id, again.text, again.deliveries.length]).toEqual([first.id, 'Hello', 1]);
    expect((await stage.events(id)).filter((type) => type === 'message.created')).toHaveLength(1);
  });

  it('is stored again after a serialization failure', async () => {
    // A sequence also counts calls that were rolled back.
    await stage.pool.query(`CREATE SEQUENCE losses;
      CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.text = 'contended' AND nextval('losses') < 4 THEN RAISE EXCEPTION 'lost' USING ERRCODE = 'deadlock_detected'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER messages_lose BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION lose()`);
    try {
      expect((await stage.send(conversation, 'contended')).text).toBe('contended');
    } finally {
      await stage.pool.query(
        'DROP TRIGGER messages_lose ON messages; DROP FUNCTION lose; DROP SEQUENCE losses',
      );
    }
  });

  it('is accepted by the number of its conversation, and refused for a conversation of another workspace', async () => {
    const [number] = await values<string>(stage.pool, 'SELECT number FROM conversations WHERE id = $1', [
      conversation,
    ]);
    const { conversation_id: found } = await stage.messages.accept({
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      conversation_number: Number(number),
      sender_id: stage.memberId,
      text: 'By number',
    });
    expect(found).toBe(conversation);
    const other = await bridgeStage(stage.pool);
    await expect(other.send(conversation, 'Not ours')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('wakes its connections, writes its events and completes the claim in one commit', async () => {
    const [linkId] = await links('two_way');
    const claim = { credential_id: uuidv7(), method: 'POST', path: '/m', key: 'k1' };
    await stage.pool.query(
      `INSERT INTO idempotency_keys (credential_id, method, path, key, fingerprint, resource_id, claimed_until, expires_at)
       VALUES ($1, 'POST', '/m', 'k1', '\\x00', $2, now() + interval '1 min', now() + interval '1 day')`,
      [claim.credential_id, uuidv7()],
    );
    const message = await stage.send(conversation, 'Hello', { claim });
    const [answer] = await values<{ id: string }>(
      stage.pool,
      'SELECT body FROM idempotency_keys WHERE credential_id = $1 AND status = 201',
      [claim.credential_id],
    );
    expect(answer?.id).toBe(message.id);
    expect(await stage.events(message.id)).toEqual(
      expect.arrayContaining(['message.created', 'delivery.updated']),
    );
    const woken = await values<string>(
      stage.pool,
      `SELECT payload->>'connection_id' FROM outbox o JOIN links l ON l.connection_id::text = payload->>'connection_id'
       WHERE o.topic = 'deliver' AND l.id = $1`,
      [linkId],
    );
    expect(woken).toHaveLength(1);
  });
});

describe('a reference of a message', () => {
  it('must point into the same conversation, and a refused message leaves nothing behind', async () => {
    const elsewhere = await stage.send(await stage.conversation(), 'Elsewhere');
    const here = await stage.send(conversation, 'Here');
    const id = uuidv7();
    const refused = [
      [{ reply_to_id: uuidv7() }, 'not_found'],
      [{ reply_to_id: elsewhere.id }, 'invalid_request'],
      [{ thread_id: elsewhere.id }, 'invalid_request'],
    ] as const;
    for (const [fields, code] of refused) {
      await expect(stage.send(conversation, 'x', { id, ...fields })).rejects.toMatchObject({ code });
    }
    expect(await stage.messages.find(stage.scope, id)).toBeUndefined();
    const [last] = await values(stage.pool, 'SELECT last_message_id FROM conversations WHERE id = $1', [
      conversation,
    ]);
    expect(last).toBe(here.id);
  });

  it('puts a reply into the thread of its original, and a reply in a thread cannot start a thread', async () => {
    const root = await stage.send(conversation, 'Root');
    const inThread = await stage.send(conversation, 'In it', { thread_id: root.id });
    const reply = await stage.send(conversation, 'Reply', { reply_to_id: inThread.id });
    expect(reply.thread_id).toBe(root.id);
    expect((await stage.message(root.id)).thread_count).toBe(2);
    await expect(stage.send(conversation, 'Deeper', { thread_id: reply.id })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('a recipient who must not be written to', () => {
  async function directWith(change: string): Promise<string> {
    const connection = await stage.connection('alpha');
    const { message } = await stage.post(connection, `d-${uuidv7()}`, 'Hi', {
      kind: 'direct',
      sender: uuidv7(),
    });
    await stage.pool.query(`UPDATE users SET ${change} WHERE id = $1`, [message?.sender_id]);
    return message!.conversation_id;
  }

  it.each([
    [`status = 'blocked'`, 'conversational', 'blocked_by_recipient'],
    [`stopped_at = now()`, 'conversational', 'opted_out'],
    [`consent = consent || '{"marketing":"denied"}'`, 'marketing', 'opted_out'],
    [`consent = consent || '{"notification":"denied"}'`, 'transactional', 'opted_out'],
  ])('blocks the message (%s, %s)', async (change, category, code) => {
    const message = await stage.send(await directWith(change), 'Hello', { category });
    expect([message.status, message.error?.code, message.deliveries[0]?.status]).toEqual([
      'blocked',
      code,
      'blocked',
    ]);
    const types = await stage.events(message.id);
    expect(types).toEqual(
      expect.arrayContaining(['message.created', 'message.failed', 'delivery.updated', 'delivery.failed']),
    );
    expect(types.indexOf('message.created')).toBeLessThan(types.indexOf('message.failed'));
  });

  it('receives messages of other categories', async () => {
    const denied = await directWith(`consent = consent || '{"marketing":"denied"}'`);
    expect((await stage.send(denied, 'Your parcel', { category: 'transactional' })).status).toBe('queued');
  });
});

describe('a scheduled message', () => {
  it('has no delivery until its time, and is released once', async () => {
    await links('two_way');
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const message = await stage.send(conversation, 'Later', { send_at: at });
    expect([message.status, message.deliveries]).toEqual(['scheduled', []]);
    expect(await stage.messages.release(message.id)).toBe(false);
    await stage.pool.query("UPDATE messages SET send_at = now() - interval '1 s' WHERE id = $1", [
      message.id,
    ]);
    const released = await Promise.all([1, 2, 3].map(() => stage.messages.release(message.id)));
    expect(released.filter(Boolean)).toHaveLength(1);
    const now = await stage.message(message.id);
    expect([now.status, now.deliveries.length]).toEqual(['queued', 1]);
    const updates = (await stage.events(message.id)).filter((type) => type === 'message.updated');
    expect(updates).toHaveLength(1);
  });

  it.each([
    ['none', () => null],
    ['a time that is past', () => new Date(Date.now() - 50_000).toISOString()],
  ])(
    'whose time is changed to %s is sent with its lifetime counted from the change, however long ago it was accepted',
    async (_, at) => {
      await links('two_way');
      const { id } = await stage.send(conversation, 'Now', {
        send_at: new Date(Date.now() + 3_600_000).toISOString(),
        ttl_seconds: 60,
      });
      await stage.pool.query("UPDATE messages SET created_at = now() - interval '10 minutes' WHERE id = $1", [
        id,
      ]);
      await stage.messages.edit(stage.scope, id, { send_at: at() });
      await stage.messages.release(id);
      const { status, expires_at, deliveries } = await stage.message(id);
      expect([status, deliveries[0]?.expires_at]).toEqual(['queued', expires_at]);
      expect(Date.parse(expires_at ?? '') - Date.now()).toBeGreaterThan(50_000);
    },
  );

  it('is sent at once when its time is past, with its lifetime counted from its acceptance', async () => {
    await links('two_way');
    const { status, expires_at, created_at, deliveries } = await stage.send(conversation, 'Now', {
      send_at: new Date(Date.now() - 50_000).toISOString(),
      ttl_seconds: 60,
    });
    expect([status, deliveries[0]?.expires_at]).toEqual(['queued', expires_at]);
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(60_000);
  });

  it('is released by the sweeper when its job was lost', async () => {
    const message = await stage.send(conversation, 'Later', {
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await stage.pool.query("UPDATE messages SET send_at = now() - interval '1 s' WHERE id = $1", [
      message.id,
    ]);
    await stage.deliveries.sweep();
    expect(await stage.message(message.id)).toMatchObject({ status: 'sent', direction: 'internal' });
  });

  it('is canceled by its deletion and never released', async () => {
    await links('two_way');
    const message = await stage.send(conversation, 'Later', {
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await stage.messages.delete(stage.scope, message.id, stage.memberId);
    await stage.pool.query("UPDATE messages SET send_at = now() - interval '1 s' WHERE id = $1", [
      message.id,
    ]);
    expect(await stage.messages.release(message.id)).toBe(false);
    expect((await stage.message(message.id)).status).toBe('canceled');
  });
});
