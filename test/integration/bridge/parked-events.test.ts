import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryTask } from '../../../src/core/deliveries/task.js';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { type BridgeStage, bridgeStage, ended, type InboundMessage, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BridgeStage;
let alpha: string;
let beta: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  [alpha, beta] = [await stage.connection('alpha'), await stage.connection('beta')];
  conversation = await stage.conversation();
  await stage.link(conversation, alpha, 'a');
  await stage.link(conversation, beta, 'b');
});

/** A message that alpha's platform has accepted with the id `own`, which is not recorded yet. */
async function written(more: object = {}): Promise<{ id: string; task: DeliveryTask }> {
  const { id } = await stage.send(conversation, 'Hello', more);
  return { id, task: await stage.claimOne(alpha) };
}

const record = (task: DeliveryTask, externalId = 'own') => stage.deliveries.settle([sent(task, externalId)]);

async function reply(more: InboundMessage = {}): Promise<string> {
  const { message } = await stage.post(alpha, 'a', 'Hi', { replyToId: 'own', ...more });
  if (message === null) throw new Error('The reply was dropped.');
  return message.id;
}

const report = (type: string, more: object = {}) =>
  stage.report(alpha, { type, chat: { id: 'a', kind: 'group' }, messageId: 'own', ...more });
const react = (emoji: string, change = 'added', who = 'rea') =>
  report('reaction', { sender: { id: who, displayName: who }, emoji, change });

const refersTo = async (id: string) => (await stage.message(id)).reply_to_id;
const emojis = async (id: string) => (await stage.message(id)).reactions.map(({ emoji }) => emoji);
const waiting = () =>
  values<string>(
    stage.pool,
    `SELECT event->>'type' FROM parked_events WHERE workspace_id = $1 AND waits ORDER BY id`,
    [stage.workspaceId],
  );
const age = (seconds: number) =>
  stage.pool.query(
    `UPDATE parked_events SET received_at = received_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2) WHERE workspace_id = $1`,
    [stage.workspaceId, seconds],
  );

describe('a reply that arrives before the record of the original’s send', () => {
  it('is stored at once, and is linked to its original with an event as soon as the id is known', async () => {
    const { id, task } = await written();
    const answer = await reply();
    expect(await refersTo(answer)).toBeNull();
    await record(task);
    expect(await refersTo(answer)).toBe(id);
    expect(await waiting()).toEqual([]);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'message.updated');
    expect(told).toMatchObject([
      { data: { id: answer, reply_to_id: id, revision: 1 }, extra: { previous: { reply_to_id: null } } },
    ]);
  });

  it('is quoted by later copies', async () => {
    const { task } = await written();
    await reply();
    await record(task);
    const copy = await stage.claimOne(beta);
    await stage.deliveries.settle([sent(copy, 'own-b')]);
    expect(await stage.claimOne(beta)).toMatchObject({
      reply_to_external_id: 'own-b',
      message: { text: 'Hi' },
    });
  });

  it('joins the thread of its original, unless it has become a root', async () => {
    const root = await stage.send(conversation, 'Root');
    await stage.deliveries.settle([sent(await stage.claimOne(alpha), 'root')]);
    const { task } = await written({ thread_id: root.id });
    const [answer, other] = [await reply(), await reply()];
    await stage.send(conversation, 'Below', { thread_id: other });
    await record(task);
    expect((await stage.message(answer)).thread_id).toBe(root.id);
    expect((await stage.message(other)).thread_id).toBeNull();
    const told = await eventsOf(stage.pool, stage.workspaceId, 'message.updated');
    expect(told.map(({ extra }) => extra)).toEqual([
      { previous: { reply_to_id: null, thread_id: null } },
      { previous: { reply_to_id: null } },
    ]);
  });

  it('is matched by the sweeper when it and the record did not see each other', async () => {
    const { id, task } = await written();
    const answer = await reply();
    const held = await stage.pool.connect();
    try {
      await held.query('BEGIN');
      await held.query('SELECT 1 FROM messages WHERE id = $1 FOR NO KEY UPDATE', [answer]);
      await record(task);
      expect(await refersTo(answer)).toBeNull();
      await held.query('COMMIT');
    } finally {
      held.release();
    }
    await age(5);
    await stage.deliveries.sweep();
    expect(await refersTo(answer)).toBe(id);
  });

  it('is matched with a lost message when a lookup finds it', async () => {
    const { id, task } = await written();
    await stage.deliveries.settle([
      ended(task, 'uncertain', { next_attempt_at: new Date(Date.now() - 1).toISOString() }),
    ]);
    const answer = await reply();
    const lookup = await stage.claimOne(alpha);
    expect(lookup.operation).toBe('reconcile');
    await stage.deliveries.settle([
      {
        ...sent(lookup, 'own'),
        move: { from: ['uncertain'], to: 'sent', resolution: 'reconciled', error: null },
      },
    ]);
    expect(await refersTo(answer)).toBe(id);
  });

  it('has no original if the reply or the original was deleted in the meantime', async () => {
    const { id, task } = await written();
    const [kept, gone] = [await reply(), await reply()];
    for (const deleted of [gone, id]) {
      await stage.pool.query('SELECT delete_message($1, $2, NULL, NULL, false)', [
        stage.workspaceId,
        deleted,
      ]);
    }
    await record(task);
    const named = await values(stage.pool, 'SELECT reply_to_id FROM messages WHERE id = ANY ($1)', [
      [kept, gone],
    ]);
    expect(named).toEqual([null, null]);
    expect(await waiting()).toEqual([]);
  });
});

describe('reactions that arrive before the record of their message’s send', () => {
  it('are added once its id is known, unless they were removed, and reach the other chats', async () => {
    const { id, task } = await written();
    await react('👍');
    await react('🎉');
    await react('👍', 'removed');
    expect(await emojis(id)).toEqual([]);
    await record(task);
    expect(await emojis(id)).toEqual(['🎉']);
    expect(await waiting()).toEqual([]);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'reaction.%');
    expect(told.map(({ type, data }) => [type, data.emoji])).toEqual([['reaction.added', '🎉']]);
    const wanted =
      'SELECT emoji FROM reaction_copies WHERE message_id = $1 AND connection_id = $2 AND wanted';
    expect(await values(stage.pool, wanted, [id, beta])).toEqual(['🎉']);
  });

  it('are dropped when a moderator clears them before the record', async () => {
    const { id, task } = await written();
    await react('👍');
    await report('reactions_cleared');
    await react('👀');
    await record(task);
    expect(await emojis(id)).toEqual(['👀']);
  });

  it('are applied before a later one, even when the record did not see them', async () => {
    const { id, task } = await written();
    await react('👍');
    const hide = 'UPDATE parked_events SET external_id = $2 WHERE workspace_id = $1';
    await stage.pool.query(hide, [stage.workspaceId, 'elsewhere']);
    await record(task);
    await stage.pool.query(hide, [stage.workspaceId, 'own']);
    await react('👍', 'removed');
    expect(await emojis(id)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('are added by the sweeper to a recorded part while the others are still being written', async () => {
    const { id, task } = await written();
    await react('👍');
    await stage.deliveries.progress(task, [{ index: 0, kind: 'text', status: 'sent', external_id: 'own' }]);
    await age(5);
    await stage.deliveries.sweep();
    expect([await emojis(id), (await stage.message(id)).status]).toEqual([['👍'], 'sending']);
  });

  it('are dropped if the person was blocked in the meantime', async () => {
    const { id, task } = await written();
    await react('👍');
    await stage.pool.query(
      "UPDATE users SET status = 'blocked' WHERE workspace_id = $1 AND display_name = 'rea'",
      [stage.workspaceId],
    );
    await record(task);
    expect(await emojis(id)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

describe('a record, a reply and a reaction at the same moment', () => {
  it('are matched without a deadlock', async () => {
    const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
    const before = await values(stage.pool, deadlocks);
    const made: { id: string; answer: string }[] = [];
    for (let n = 0; n < 30; n += 1) {
      const { id, task } = await written();
      const named = { messageId: `own-${n}` };
      const [answer] = await Promise.all([
        reply({ replyToId: named.messageId }),
        report('reaction', { ...named, sender: { id: 'rea' }, emoji: '👍', change: 'added' }),
        record(task, named.messageId),
        stage.deliveries
          .claim(beta, 4)
          .then((tasks) => stage.deliveries.settle(tasks.map((one) => sent(one)))),
      ]);
      made.push({ id, answer });
    }
    await age(5);
    await stage.deliveries.sweep();
    for (const { id, answer } of made)
      expect([await refersTo(answer), await emojis(id)]).toEqual([id, ['👍']]);
    expect(await values(stage.pool, deadlocks)).toEqual(before);
  });
});

describe('an event about an unknown message', () => {
  it('waits for it, and creates no contact; a reply waits only if its original may still arrive', async () => {
    await reply();
    await react('👍');
    await report('reactions_cleared');
    expect(await waiting()).toEqual(['reaction', 'reactions_cleared']);
    const people = await values(
      stage.pool,
      "SELECT display_name FROM users WHERE workspace_id = $1 AND kind = 'contact'",
      [stage.workspaceId],
    );
    expect(people).toEqual(['ann']);
  });

  it('waits as a reply only if the chat was written to within the last minute', async () => {
    const { task } = await written();
    await record(task, 'another');
    await reply();
    await stage.pool.query(
      `UPDATE links SET last_outbound_at = now() - interval '61 s' WHERE conversation_id = $1`,
      [conversation],
    );
    await reply();
    expect(await waiting()).toEqual(['reply']);
  });

  it('is deleted after an hour unless an envelope is postponed; a receipt is kept longer', async () => {
    const { id, task } = await written();
    await reply();
    await react('👍');
    await report('receipt', { status: 'read' });
    await age(3601);
    const housekeeping = new Housekeeping(stage.pool);
    const postponed = { dedupeKey: 'late', lane: 'a', payload: null };
    await stage.inbound.receive(alpha, postponed, [], 'pending');
    await housekeeping.purge();
    expect(await waiting()).toEqual(['reply', 'reaction', 'receipt']);
    await stage.pool.query("UPDATE envelopes SET status = 'dead' WHERE connection_id = $1", [alpha]);
    await housekeeping.purge();
    expect(await waiting()).toEqual(['receipt']);
    await record(task);
    expect([await emojis(id), await waiting()]).toEqual([[], []]);
  });

  it('does not wait for a message that was deleted', async () => {
    const { id, task } = await written();
    await record(task);
    await stage.pool.query('SELECT delete_message($1, $2, NULL, NULL, false)', [stage.workspaceId, id]);
    await reply();
    await react('👍');
    expect(await waiting()).toEqual([]);
  });
});

describe('a change of an unknown message in a linked thread, which names only the chat', () => {
  const chat = { id: 'c', kind: 'group' };

  let connection: string;

  beforeEach(async () => {
    connection = await stage.connection('gamma', { unlinked_chats: 'ignore' });
    await stage.link(await stage.conversation(), connection, 'c', { external_thread_id: 't' });
  });

  const change = (type: string, more: object) =>
    stage.report(connection, { type, chat, messageId: 'm', ...more });
  const arrive = async () =>
    (await stage.post(connection, 'c', 'Hi', { messageId: 'm', threadId: 't' })).message;

  it.each([
    ['alone', false],
    ['beside a link of the chat that takes nothing', true],
  ])('waits for it: the thread is linked %s', async (_, isChatLinked) => {
    if (isChatLinked)
      await stage.link(await stage.conversation(), connection, 'c', { direction: 'outbound' });
    await change('reaction', { sender: { id: 'rea' }, emoji: '👍', change: 'added' });
    await change('message_edited', { content: { text: 'Edited', spans: [], attachments: [] } });
    const message = await arrive();
    expect([(await stage.message(message!.id)).text, await emojis(message!.id)]).toEqual(['Edited', ['👍']]);
  });

  it('withholds it if the change is its deletion', async () => {
    await change('message_deleted', {});
    expect(await arrive()).toBeNull();
  });
});
