import { describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { lockWaiters } from '../../support/lock-waiters.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
});

const count = async (table: string) =>
  (
    await values<number>(stage.pool, `SELECT count(*)::int FROM ${table} WHERE workspace_id = $1`, [
      stage.workspaceId,
    ])
  )[0];
const statusOf = async (conversation: string) =>
  (await values<string>(stage.pool, 'SELECT status FROM conversations WHERE id = $1', [conversation]))[0];

describe('a message of a chat without a link', () => {
  it('creates contact, conversation and link once, however many arrive at once', async () => {
    const posted = await Promise.all(
      Array.from({ length: 10 }, (_, n) => stage.post(connection, 'new-chat', `m${n}`, { sender: 'ann' })),
    );
    expect(new Set(posted.map(({ message }) => message?.conversation_id)).size).toBe(1);
    expect([await count('conversations'), await count('links'), await count('messages')]).toEqual([1, 1, 10]);
    expect(await count('identities')).toBe(1);
    const made = await eventsOf(stage.pool, stage.workspaceId, '%.created');
    const types = made.map(({ type }) => type).filter((type) => type !== 'message.created');
    expect(types.sort()).toEqual(['conversation.created', 'user.created']);
  });

  it('creates a direct conversation for a private chat and a group otherwise', async () => {
    const { message: one } = await stage.post(connection, 'private', 'Hi', { kind: 'direct' });
    const { message: many } = await stage.post(connection, 'crowd', 'Hi');
    const types = await values(
      stage.pool,
      'SELECT type FROM conversations WHERE id = ANY ($1) ORDER BY created_at',
      [[one?.conversation_id, many?.conversation_id]],
    );
    expect(types).toEqual(['direct', 'group']);
    expect(one).toMatchObject({ direction: 'inbound', status: 'received', platform: 'alpha' });
  });

  it('creates a conversation for each thread that counts as a chat, even if the whole chat is linked', async () => {
    const whole = await stage.conversation();
    await stage.link(whole, connection, 'desk');
    const topic = (threadId: string, sender: string) =>
      stage.post(connection, 'desk', 'Hi', { threadId, threadIsChat: true, kind: 'direct', sender });
    const [one, two, again] = [await topic('701', 'cy'), await topic('702', 'di'), await topic('701', 'cy')];
    const found = [one, two, again].map(({ message }) => message?.conversation_id);
    expect(found[2]).toBe(found[0]);
    expect(new Set([...found, whole]).size).toBe(3);
    const links = await stage.pool.query(
      `SELECT c.type, l.external_id, l.external_thread_id FROM links l JOIN conversations c ON c.id = l.conversation_id
       WHERE c.id = ANY ($1) ORDER BY l.external_thread_id`,
      [found],
    );
    expect(links.rows).toEqual([
      { type: 'direct', external_id: 'desk', external_thread_id: '701' },
      { type: 'direct', external_id: 'desk', external_thread_id: '702' },
    ]);
    const { message } = await stage.post(connection, 'desk', 'To all', { threadId: '5' });
    expect(message?.conversation_id).toBe(whole);
  });

  it('joins the conversation that is linked to the contact’s address, even if the id of the chat is not known yet', async () => {
    const conversation = await stage.conversation();
    const link = await stage.link(conversation, connection, 'ann');
    await stage.pool.query('UPDATE links SET address = external_id WHERE id = $1', [link]);
    const crowd = await stage.post(connection, 'crowd', 'Hi all', { sender: 'ann' });
    expect(crowd.message?.conversation_id).not.toBe(conversation);
    const posts = await Promise.all(
      ['One', 'Two'].map((text) => stage.post(connection, 'dm-1', text, { sender: 'ann', kind: 'direct' })),
    );
    expect(posts.map(({ message }) => message?.conversation_id)).toEqual([conversation, conversation]);
    const found = await stage.pool.query('SELECT external_id, address FROM links WHERE id = $1', [link]);
    expect(found.rows).toEqual([{ external_id: 'dm-1', address: null }]);
  });

  it('is acknowledged and leaves no records if the connection ignores unknown chats', async () => {
    const deaf = await stage.connection('beta', { unlinked_chats: 'ignore' });
    expect(await stage.post(deaf, 'unknown', 'Hi')).toEqual({ stored: true, message: null });
    expect([await count('messages'), await count('conversations'), await count('identities')]).toEqual([
      0, 0, 0,
    ]);
  });
});

describe('an unwanted or repeated message', () => {
  it('is dropped if it arrives by an outbound link, from a blocked contact, as an echo or as an own copy', async () => {
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'out', { direction: 'outbound' });
    await stage.post(connection, 'out', 'x');
    await stage.link(conversation, connection, 'both');
    await stage.post(connection, 'both', 'x', { echo: true });
    await stage.send(conversation, 'Own');
    const tasks = await stage.deliveries.claim(connection, 10);
    await stage.deliveries.settle(tasks.map((task) => sent(task, `own-${task.link.external_id}`)));
    await stage.post(connection, 'both', 'Own', { messageId: 'own-both' });
    const { message } = await stage.post(connection, 'both', 'In', { sender: 'bad' });
    await stage.pool.query("UPDATE users SET status = 'blocked' WHERE id = $1", [message?.sender_id]);
    await stage.post(connection, 'both', 'Again', { sender: 'bad' });
    const texts = await values(
      stage.pool,
      'SELECT text FROM messages WHERE conversation_id = $1 ORDER BY id',
      [conversation],
    );
    expect(texts).toEqual(['Own', 'In']);
  });

  it('is stored once of three deliveries at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => stage.post(connection, 'c', 'Once', { messageId: 'same', dedupeKey: 'event-1' })),
    );
    expect(answers.filter(({ stored }) => stored)).toHaveLength(1);
    expect([await count('messages'), await count('envelopes')]).toEqual([1, 1]);
  });
});

describe('an inbound message', () => {
  it("is relayed to every other outbound-capable link, in its sender's name", async () => {
    const beta = await stage.connection('beta');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    await stage.link(conversation, beta, 'b');
    await stage.link(conversation, beta, 'in', { direction: 'inbound' });
    const { message } = await stage.post(connection, 'a', 'Hello', { sender: 'Ann' });
    expect(message?.deliveries.map(({ external_chat_id }) => external_chat_id)).toEqual(['b']);
    const { platform, run } = stage.deliverer();
    await run(beta);
    expect(platform.texts()).toEqual(['Ann: Hello']);
    expect((await stage.message(message!.id)).status).toBe('received');
  });

  it('replies to its original, by the copy on its own platform, in both directions', async () => {
    const beta = await stage.connection('beta');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    await stage.link(conversation, beta, 'b');
    const { message: original } = await stage.post(connection, 'a', 'Question', { messageId: 'q-a' });
    await stage.deliveries.settle([sent(await stage.claimOne(beta), 'q-b')]);
    const { message: reply } = await stage.post(beta, 'b', 'Answer', { replyToId: 'q-b', sender: 'ben' });
    expect(reply?.reply_to_id).toBe(original?.id);
    expect((await stage.claimOne(connection)).reply_to_external_id).toBe('q-a');
  });

  it('reopens a waiting conversation and a closed group; starts a new direct conversation after a day', async () => {
    const { message } = await stage.post(connection, 'd', 'Hi', { kind: 'direct' });
    const first = message!.conversation_id;
    const close = (status: string, hours: number) =>
      stage.pool.query(
        `UPDATE conversations SET status = $2, closed_at = now() - make_interval(hours => $3) WHERE id = $1`,
        [first, status, hours],
      );
    for (const [status, hours] of [
      ['snoozed', 0],
      ['pending', 0],
      ['resolved', 23],
      ['archived', 1],
    ] as const) {
      await close(status, hours);
      await stage.post(connection, 'd', status, { kind: 'direct' });
      expect(await statusOf(first)).toBe('open');
    }
    await close('resolved', 25);
    const { message: later } = await stage.post(connection, 'd', 'A new day', { kind: 'direct' });
    expect(later!.conversation_id).not.toBe(first);
    expect(await statusOf(first)).toBe('resolved');
    expect(
      await values(
        stage.pool,
        'SELECT conversation_id FROM links WHERE external_id = $1 AND workspace_id = $2',
        ['d', stage.workspaceId],
      ),
    ).toEqual([later!.conversation_id]);
    const { message: group } = await stage.post(connection, 'g', 'Hi');
    await stage.pool.query(
      "UPDATE conversations SET status = 'archived', closed_at = now() - interval '9 days' WHERE id = $1",
      [group!.conversation_id],
    );
    expect((await stage.post(connection, 'g', 'Back')).message?.conversation_id).toBe(group!.conversation_id);
  });

  it('repairs a broken link', async () => {
    const conversation = await stage.conversation();
    const link = await stage.link(conversation, connection, 'a');
    await stage.deliveries.markLinkBroken(link);
    await stage.post(connection, 'a', 'Here again');
    expect(await values(stage.pool, 'SELECT status FROM links WHERE id = $1', [link])).toEqual(['active']);
  });

  /** Posts a message while another transaction locks the conversation. That transaction commits while the post waits. */
  async function postedMeanwhile(conversation: string, text: string, ...changes: string[]) {
    const client = await stage.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [conversation]);
      const posted = stage.post(connection, 'd', text, { kind: 'direct' });
      await expect.poll(() => lockWaiters(stage.pool)).toBeGreaterThan(0);
      for (const change of changes) await client.query(change, [conversation]);
      await client.query('COMMIT');
      return (await posted).message;
    } finally {
      client.release();
    }
  }

  it('starts a new conversation when its own is deleted at the same moment', async () => {
    const { message } = await stage.post(connection, 'd', 'Hi', { kind: 'direct' });
    const first = message!.conversation_id;
    const later = await postedMeanwhile(
      first,
      'Are you there?',
      'UPDATE links SET removed_at = now() WHERE conversation_id = $1',
      'UPDATE conversations SET deleted_at = now() WHERE id = $1',
    );
    expect(later).toMatchObject({ text: 'Are you there?', status: 'received' });
    expect(later!.conversation_id).not.toBe(first);
  });

  it('joins the new conversation that another message starts at the same moment', async () => {
    const { message } = await stage.post(connection, 'd', 'Hi', { kind: 'direct' });
    const first = message!.conversation_id;
    const next = await stage.conversation('direct');
    await stage.pool.query(
      "UPDATE conversations SET status = 'resolved', closed_at = now() - interval '2 days' WHERE id = $1",
      [first],
    );
    const later = await postedMeanwhile(
      first,
      'And this?',
      `UPDATE links SET conversation_id = '${next}' WHERE conversation_id = $1`,
    );
    expect([later?.conversation_id, await statusOf(first)]).toEqual([next, 'resolved']);
  });

  it('stores later changes on the platform: edits, deletions, the chat’s new address and name', async () => {
    const beta = await stage.connection('beta');
    const conversation = await stage.conversation();
    const link = await stage.link(conversation, connection, 'a');
    await stage.link(conversation, beta, 'b');
    const chat = { id: 'a', kind: 'group' };
    const { message } = await stage.post(connection, 'a', 'Frist', { messageId: 'm1' });
    await stage.deliveries.settle([sent(await stage.claimOne(beta))]);
    const content = { text: 'First', spans: [], attachments: [] };
    await stage.report(connection, { type: 'message_edited', chat, messageId: 'm1', content });
    await stage.report(connection, {
      type: 'message_edited',
      chat,
      messageId: 'm1',
      content: { ...content, text: 'Echo' },
      echo: true,
    });
    expect(await stage.message(message!.id)).toMatchObject({ text: 'First', revision: 2 });
    expect((await stage.claimOne(beta)).operation).toBe('edit');
    await stage.report(connection, { type: 'chat_renamed', chat, title: 'New name' });
    await stage.report(connection, { type: 'chat_moved', chat, toChatId: 'a2' });
    const { rows } = await stage.pool.query('SELECT external_id, title FROM links WHERE id = $1', [link]);
    expect(rows).toEqual([{ external_id: 'a2', title: 'New name' }]);
    await stage.report(connection, { type: 'message_deleted', chat: { ...chat, id: 'a2' }, messageId: 'm1' });
    expect(await stage.messages.find(stage.scope, message!.id)).toBeUndefined();
    expect((await eventsOf(stage.pool, stage.workspaceId, 'conversation.link_updated')).length).toBe(2);
  });

  it('copies an edit of styles alone, and ignores one without any change', async () => {
    const beta = await stage.connection('beta');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    await stage.link(conversation, beta, 'b');
    const { message } = await stage.post(connection, 'a', 'Now', { messageId: 'm1' });
    await stage.deliveries.settle([sent(await stage.claimOne(beta))]);
    const spans = [{ mark: 'bold', start: 0, end: 3 }];
    const restyle = (some: object[]) =>
      stage.report(connection, {
        type: 'message_edited',
        chat: { id: 'a', kind: 'group' },
        messageId: 'm1',
        content: { text: 'Now', spans: some, attachments: [] },
      });
    await restyle([]);
    expect(await stage.message(message!.id)).toMatchObject({ revision: 1, edited_at: null });
    await restyle(spans);
    await restyle(spans);
    expect(await stage.message(message!.id)).toMatchObject({ text: 'Now', revision: 2 });
    const task = await stage.claimOne(beta);
    expect([task.operation, task.message.spans]).toEqual(['edit', spans]);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'message.updated');
    expect(told.map(({ extra }) => extra)).toEqual([{ previous: { revision: 1, edited_at: null } }]);
  });

  it('keeps its text when its author edits it while blocked', async () => {
    await stage.link(await stage.conversation(), connection, 'a');
    const { message } = await stage.post(connection, 'a', 'Fine', { messageId: 'm1' });
    const change = (text: string) =>
      stage.report(connection, {
        type: 'message_edited',
        chat: { id: 'a', kind: 'group' },
        messageId: 'm1',
        content: { text, spans: [], attachments: [] },
      });
    const become = (status: string) =>
      stage.pool.query('UPDATE users SET status = $2 WHERE id = $1', [message!.sender_id, status]);
    await become('blocked');
    await change('Not fine at all');
    expect(await stage.message(message!.id)).toMatchObject({ text: 'Fine', revision: 1 });
    await become('active');
    await change('Fine again');
    expect(await stage.message(message!.id)).toMatchObject({ text: 'Fine again', revision: 2 });
  });

  it('is found by its chat after the chat moved, even if its conversation was unlinked before', async () => {
    const former = await stage.link(await stage.conversation(), connection, 'a');
    await stage.post(connection, 'a', 'Before', { messageId: 'm1' });
    await stage.pool.query('UPDATE links SET removed_at = now() WHERE id = $1', [former]);
    const link = await stage.link(await stage.conversation(), connection, 'a');
    await stage.post(connection, 'a', 'After', { messageId: 'm2' });
    await stage.report(connection, { type: 'chat_moved', chat: { id: 'a', kind: 'group' }, toChatId: 'a2' });
    const [ids] = await values<string[]>(
      stage.pool,
      `SELECT other_message_ids_in_chat(l, now() - interval '1 day', uuid7()) FROM links l WHERE id = $1`,
      [link],
    );
    expect(ids?.toSorted()).toEqual(['m1', 'm2']);
  });
});

describe('STOP and START keywords', () => {
  const consentOf = async (userId: string) => {
    const { rows } = await stage.pool.query(
      `SELECT consent->>'marketing' AS marketing, stopped_at IS NOT NULL AS stopped FROM users WHERE id = $1`,
      [userId],
    );
    return rows[0] as { marketing: string; stopped: boolean };
  };
  const say = (text: string, kind: 'direct' | 'group' = 'direct') =>
    stage.post(connection, `with-${kind}`, text, { kind, sender: 'ann' });

  it('deny and grant consent in direct conversations, in any case and with spaces around', async () => {
    const { message } = await say('Hi');
    const user = message!.sender_id;
    for (const word of ['STOP', ' stop \n', 'Unsubscribe', '/stop', '/Stop@my_bot']) {
      await say('Hi');
      expect((await consentOf(user)).stopped).toBe(false);
      await say(word);
      expect(await consentOf(user)).toEqual({ marketing: 'denied', stopped: true });
      await say('Start');
      expect(await consentOf(user)).toEqual({ marketing: 'granted', stopped: false });
    }
    for (const text of ['STOP it', 'please stop']) {
      await say(text);
      expect((await consentOf(user)).stopped).toBe(false);
    }
    const told = await eventsOf(stage.pool, stage.workspaceId, 'user.opted_%');
    expect(told[0]).toMatchObject({ type: 'user.opted_out', data: { keyword: 'STOP', source: 'keyword' } });
  });

  it('have no effect in a group', async () => {
    const { message } = await say('STOP', 'group');
    expect(await consentOf(message!.sender_id)).toEqual({ marketing: 'unknown', stopped: false });
  });

  it('cancel queued messages to that person', async () => {
    const { message } = await say('Hi');
    const waiting = await stage.send(message!.conversation_id, 'Soon');
    await say('STOP');
    expect(await stage.message(waiting.id)).toMatchObject({
      status: 'blocked',
      error: { code: 'opted_out' },
    });
  });

  it('have the same effect as a block that the platform reports', async () => {
    const { message } = await say('Hi');
    await stage.report(connection, {
      type: 'consent',
      chat: { id: 'with-direct', kind: 'direct' },
      user: { id: 'ann', displayName: 'ann' },
      change: 'opted_out',
    });
    expect(await consentOf(message!.sender_id)).toEqual({ marketing: 'denied', stopped: true });
  });
});
