import { beforeEach, describe, expect, it } from 'vitest';
import { Housekeeping } from '../../../src/store/maintenance/housekeeping.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BridgeStage;
let alpha: string;
let conversation: string;
let message: string;

const chat = { id: 'a', kind: 'group' };
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const added = (reactionId: string, more: object = {}) =>
  stage.report(alpha, {
    ...{ type: 'reaction', change: 'added', chat, messageId: 'm1', emoji: '👍', at: at(1) },
    ...{ sender: { id: 'rea' }, reactionId, ...more },
  });
const removed = (reactionId: string, more: object = {}) =>
  stage.report(alpha, { type: 'reaction', change: 'removed', chat, at: at(2), reactionId, ...more });
const emojis = () =>
  values<string>(stage.pool, 'SELECT emoji FROM reactions WHERE message_id = $1 ORDER BY emoji', [message]);
const kept = () =>
  values<string>(
    stage.pool,
    "SELECT event->>'type' || CASE WHEN waits THEN ' waits' ELSE '' END FROM parked_events WHERE connection_id = $1 ORDER BY id",
    [alpha],
  );

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  alpha = await stage.connection('alpha');
  conversation = await stage.conversation();
  await stage.link(conversation, alpha, 'a');
  await stage.link(conversation, await stage.connection('beta'), 'b');
});

beforeEach(async () => {
  const posted = await stage.post(alpha, 'a', 'Hello', { messageId: 'm1' });
  message = posted.message?.id ?? '';
});

describe('a removal that names only the reaction', () => {
  it('removes that reaction, with an event that names its author', async () => {
    await added('r1');
    await added('r2', { emoji: '🎉' });
    await removed('r1');
    expect(await emojis()).toEqual(['🎉']);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'reaction.removed');
    expect(told).toMatchObject([{ data: { message_id: message, emoji: '👍', platform: 'alpha' } }]);
  });

  it('that arrives before its reaction takes effect when the reaction arrives, whatever their times are', async () => {
    await removed('r1', { at: at(0) });
    expect(await kept()).toEqual(['reaction waits']);
    await added('r1');
    expect(await emojis()).toEqual([]);
    await added('r2');
    expect(await emojis()).toEqual(['👍']);
  });

  it('leaves a later reaction with the same emoji in place', async () => {
    await added('r1');
    await added('r2', { at: at(3) });
    await removed('r1');
    expect(await emojis()).toEqual(['👍']);
    await removed('r2');
    expect(await emojis()).toEqual([]);
  });

  it('is kept, so that the reaction has no effect when it is received again', async () => {
    await added('r1');
    await removed('r1');
    await added('r1');
    expect(await emojis()).toEqual([]);
    expect(await kept()).toEqual(['reaction']);
  });

  it('of another chat or connection refers to another reaction', async () => {
    await added('r1');
    await removed('r1', { chat: { id: 'c', kind: 'group' } });
    const other = await stage.connection('alpha');
    await stage.report(other, { type: 'reaction', change: 'removed', chat, at: at(2), reactionId: 'r1' });
    expect(await emojis()).toEqual(['👍']);
  });

  it('is matched by the sweeper with a reaction that was stored at the same moment', async () => {
    await removed('r1');
    const hide = 'UPDATE parked_events SET external_id = $2 || external_id WHERE connection_id = $1';
    await stage.pool.query(hide, [alpha, 'hidden ']);
    await added('r1');
    expect(await emojis()).toEqual(['👍']);
    await stage.pool.query(
      `UPDATE parked_events SET external_id = replace(external_id, 'hidden ', ''), received_at = now() - interval '5 s'
       WHERE connection_id = $1`,
      [alpha],
    );
    await stage.deliveries.sweep();
    expect([await emojis(), await kept()]).toEqual([[], ['reaction']]);
  });

  it('is forgotten after the time for which events wait', async () => {
    await removed('r1');
    await stage.pool.query(
      "UPDATE parked_events SET expires_at = expires_at - interval '3601 s' WHERE connection_id = $1",
      [alpha],
    );
    await new Housekeeping(stage.pool).purge();
    expect(await kept()).toEqual([]);
  });
});

describe('the actor of a reaction’s removal by id', () => {
  it.each([
    ['its author', { actor: { id: 'rea' } }, []],
    ['its author, as sender', { sender: { id: 'rea' } }, []],
    ['another person', { actor: { id: 'eve' } }, ['👍']],
    ['a moderator', { actor: { id: 'eve' }, authority: 'moderator' }, []],
    ['somebody whom the platform has checked', { actor: { id: 'eve' }, authority: 'platform' }, []],
  ])('decides whether the removal takes effect: %s', async (_who, more, left) => {
    await added('r1');
    await removed('r1', more);
    expect(await emojis()).toEqual(left);
  });

  it.each([
    ['its author', { actor: { id: 'rea' } }, []],
    ['another person', { actor: { id: 'eve' } }, ['👍']],
  ])('is also checked when the removal arrived first: %s', async (_who, more, left) => {
    await removed('r1', more);
    await added('r1');
    expect(await emojis()).toEqual(left);
  });

  it('has no effect for a blocked person or in a chat that accepts nothing inbound', async () => {
    await added('r1');
    const block = (status: string) =>
      stage.pool.query(
        `UPDATE users SET status = $2 WHERE id = (SELECT user_id FROM reactions WHERE message_id = $1)`,
        [message, status],
      );
    await block('blocked');
    await removed('r1');
    expect(await emojis()).toEqual(['👍']);
    await block('active');
    await stage.pool.query("UPDATE links SET direction = 'outbound' WHERE connection_id = $1", [alpha]);
    await removed('r1');
    expect(await emojis()).toEqual(['👍']);
  });
});

describe('a removal of either a message or a reaction', () => {
  const redaction = async (id: string) => {
    await stage.report(alpha, { type: 'message_deleted', chat, at: at(2), messageId: id });
    await removed(id);
  };

  it('removes the one with the id, and leaves nothing waiting', async () => {
    await added('r1');
    await redaction('r1');
    expect(await emojis()).toEqual([]);
    await redaction('m1');
    const deleted = 'SELECT deleted_at IS NOT NULL FROM messages WHERE id = $1';
    expect(await values(stage.pool, deleted, [message])).toEqual([true]);
    expect(await kept()).toEqual(['reaction']);
  });
});

describe('the ids of reactions', () => {
  const ids = () =>
    values<string | null>(stage.pool, 'SELECT external_id FROM reactions WHERE message_id = $1', [message]);
  const move = (more: object) =>
    stage.report(alpha, { type: 'chat_moved', chat, at: at(2), toChatId: 'a2', ...more });

  it('follow a chat that moves, unless its messages are renumbered', async () => {
    await added('r1');
    await move({});
    await removed('r1', { chat: { id: 'a2', kind: 'group' } });
    expect(await emojis()).toEqual([]);
    await added('r2', { chat: { id: 'a2', kind: 'group' } });
    expect(await ids()).toEqual(['r2']);
    await stage.report(alpha, {
      ...{ type: 'chat_moved', chat: { id: 'a2', kind: 'group' }, at: at(3) },
      ...{ toChatId: 'a3', renumbered: true },
    });
    expect(await ids()).toEqual([null]);
  });

  it('stay with a reaction whose author becomes another contact by a merge', async () => {
    await added('r1', { sender: { id: 'ann' } });
    await stage.post(alpha, 'a', 'Hi', { sender: 'bob' });
    const contact = 'SELECT user_id FROM identities WHERE workspace_id = $1 AND external_id = $2';
    const [ann] = await values<string>(stage.pool, contact, [stage.workspaceId, 'ann']);
    const [bob] = await values<string>(stage.pool, contact, [stage.workspaceId, 'bob']);
    await stage.pool.query('SELECT move_conversations($1, $2)', [ann, bob]);
    const reactor = 'SELECT user_id FROM reactions WHERE message_id = $1';
    expect(await values(stage.pool, reactor, [message])).toEqual([bob]);
    const linked = 'SELECT link_id IS NOT NULL FROM reactions WHERE message_id = $1';
    expect([await values(stage.pool, linked, [message]), await ids()]).toEqual([[true], ['r1']]);
  });
});
