import { beforeEach, describe, expect, it } from 'vitest';
import { ShowReactions } from '../../../src/core/signals/show-reactions.js';
import { SignalShares } from '../../../src/core/signals/signal-shares.js';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import { PostgresReactionCopies } from '../../../src/store/signals/signals.js';
import { type BridgeStage, bridgeStage, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, makeMember, values } from '../../support/people.js';
import { problem, ScriptedPlatform } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let actions: PostgresMessageActions;
let first: string;
let second: string;
let conversation: string;
let platform: ScriptedPlatform;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  actions = new PostgresMessageActions(pool);
  platform = new ScriptedPlatform();
  [first, second] = [await stage.connection('alpha'), await stage.connection('beta')];
  conversation = await stage.conversation();
  await stage.link(conversation, first, 'a');
  await stage.link(conversation, second, 'b');
});

/** Lets both connections write due reactions. Returns what they wrote. */
async function show(...connections: string[]): Promise<string[]> {
  const before = platform.calls.length;
  const copies = new PostgresReactionCopies(stage.pool);
  const { deliver, rates, log } = stage.deliverer(platform);
  const worker = new ShowReactions(copies, deliver.errorEffects, platform, rates, log, new SignalShares());
  for (const connection of connections) await worker.run(connection, new AbortController().signal);
  return platform.calls.slice(before).map(({ chatId, text }) => `${chatId} ${text}`);
}

async function deliver(connection: string): Promise<void> {
  await stage.deliverer().run(connection);
}

const react = (id: string, emoji: string, user = stage.memberId) =>
  actions.react(stage.scope, id, user, emoji);
const unreact = (id: string, emoji: string, user = stage.memberId) =>
  actions.unreact(stage.scope, id, user, emoji);
const reported = (connection: string, chat: string, messageId: string, more: object = {}) =>
  stage.report(connection, {
    type: 'reaction',
    chat: { id: chat, kind: 'group' },
    messageId,
    sender: { id: 'rea', displayName: 'Rea' },
    emoji: '👍',
    change: 'added',
    ...more,
  });

describe('reactions that a moderator clears on a platform', () => {
  it('are removed everywhere if people of that chat made them, and otherwise permanently in that chat alone', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await deliver(second);
    const [copy] = await values<string>(
      stage.pool,
      'SELECT external_id FROM remote_messages WHERE message_id = $1 AND external_chat_id = $2',
      [id, 'a'],
    );
    await reported(first, 'a', copy ?? '');
    await reported(first, 'a', copy ?? '', { emoji: '🎉' });
    await react(id, '👀');
    await show(first, second);
    const chat = { id: 'a', kind: 'group' };
    await stage.report(first, { type: 'reactions_cleared', chat, messageId: copy, emoji: '🎉' });
    expect(await show(first, second)).toEqual(['b 🎉 removed']);
    await stage.report(first, { type: 'reactions_cleared', chat, messageId: copy });
    expect(await show(first, second)).toEqual(['b 👍 removed']);
    expect(await values(stage.pool, 'SELECT emoji FROM reactions WHERE message_id = $1', [id])).toEqual([
      '👀',
    ]);
  });

  it('are not added there again for an API client with the same emoji', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await deliver(second);
    const [copy] = await values<string>(
      stage.pool,
      'SELECT external_id FROM remote_messages WHERE message_id = $1 AND external_chat_id = $2',
      [id, 'a'],
    );
    await react(id, '👍');
    await reported(first, 'a', copy ?? '');
    expect(await show(first, second)).toEqual(['a 👍 added', 'b 👍 added']);
    const chat = { id: 'a', kind: 'group' };
    await stage.report(first, { type: 'reactions_cleared', chat, messageId: copy, emoji: '👍' });
    expect(await show(first, second)).toEqual([]);
    expect(await values(stage.pool, 'SELECT user_id FROM reactions WHERE message_id = $1', [id])).toEqual([
      stage.memberId,
    ]);
  });
});

describe('a reaction of an API client', () => {
  it('is shown in every chat that has the message, once, and removed there', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await deliver(second);
    await react(id, '👍');
    expect(await show(first, second)).toEqual(['a 👍 added', 'b 👍 added']);
    expect(await show(first, second)).toEqual([]);
    await unreact(id, '👍');
    expect(await show(first, second)).toEqual(['a 👍 removed', 'b 👍 removed']);
  });

  it('stays while one of several users still has it', async () => {
    const other = await makeMember(stage.pool, stage.workspaceId, 'other');
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '❤️');
    const { reactions } = await react(id, '❤', other);
    expect(reactions).toEqual([{ emoji: '❤️', count: 2, user_ids: [stage.memberId, other] }]);
    expect(await show(first)).toEqual(['a ❤️ added']);
    await unreact(id, '❤');
    expect(await show(first)).toEqual([]);
    await unreact(id, '❤️', other);
    expect(await show(first)).toEqual(['a ❤️ removed']);
  });

  it('waits for the message', async () => {
    const { id } = await stage.send(conversation, 'x');
    await react(id, '👍');
    expect(await show(first)).toEqual([]);
    await deliver(first);
    await stage.pool.query('DELETE FROM outbox');
    await stage.pool.query('SELECT wake_reactions()');
    expect(
      await values(
        stage.pool,
        `SELECT payload->>'connection_id' FROM outbox WHERE topic = 'signal' AND payload->>'connection_id' = ANY ($1)`,
        [[first, second]],
      ),
    ).toEqual([first]);
    expect(await show(first)).toEqual(['a 👍 added']);
  });

  it('that is changed while it is written ends in its last state', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '👍');
    platform.script = async ({ text }) => {
      if (text === '👍 added') await unreact(id, '👍');
      return { remoteId: 'r' as never };
    };
    expect(await show(first)).toEqual(['a 👍 added', 'a 👍 removed']);
  });

  it('is retried after a temporary failure, and given up after a permanent one', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '👍');
    platform.script = () => {
      throw problem({ kind: 'unavailable', cause: 'network' });
    };
    expect(await show(first)).toEqual(['a 👍 added']);
    expect(await show(first)).toEqual([]);
    const due = `UPDATE reaction_copies SET next_attempt_at = now() - interval '1 ms' WHERE next_attempt_at IS NOT NULL`;
    await stage.pool.query(due);
    platform.script = () => {
      throw problem({ kind: 'rejected', reason: 'forbidden' });
    };
    expect(await show(first)).toEqual(['a 👍 added']);
    await stage.pool.query(due);
    expect(await show(first)).toEqual([]);
  });

  it.each([
    [
      'the platform asks the account to wait',
      { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' },
    ],
    ['the credentials are refused', { kind: 'unauthorized' }],
  ] as const)('is not sent any more once %s', async (_what, refusal) => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    for (const emoji of ['👍', '🎉', '🔥']) await react(id, emoji);
    platform.script = () => {
      throw problem(refusal);
    };
    expect(await show(first)).toHaveLength(1);
    await stage.pool.query(`UPDATE reaction_copies SET next_attempt_at = now() - interval '1 ms'`);
    expect(await show(first)).toEqual([]);
    platform.usable = true;
    await stage.pool.query('UPDATE connections SET paused_until = NULL');
    platform.script = () => undefined;
    expect(await show(first)).toHaveLength(3);
  });

  it('delays messages to a chat that refused it for a time', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '👍');
    platform.script = () => {
      throw problem({ kind: 'rate_limited', retryAfterMs: 60_000, scope: 'chat' });
    };
    expect(await show(first)).toHaveLength(1);
    await stage.send(conversation, 'y');
    expect(await stage.deliveries.claim(first, 10)).toEqual([]);
  });
});

describe('a reaction of an account that shows one per message', () => {
  beforeEach(() => {
    platform.react = { per_user: 1, allowed: ['👍', '❤', '🎉'] };
  });

  it('replaces the previous one, which is shown again once the new one is removed', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '👍');
    expect(await show(first)).toEqual(['a 👍 added']);
    await react(id, '🎉');
    expect(await show(first)).toEqual(['a 🎉 added']);
    await unreact(id, '🎉');
    expect(await show(first)).toEqual(['a 🎉 removed', 'a 👍 added']);
  });

  it('that is not shown any more is removed without a call', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '👍');
    await show(first);
    await react(id, '🎉');
    await show(first);
    await unreact(id, '👍');
    expect(await show(first)).toEqual([]);
    await unreact(id, '🎉');
    expect(await show(first)).toEqual(['a 🎉 removed']);
  });

  it('has the form that the platform supports, and is skipped if it has none', async () => {
    const { id } = await stage.send(conversation, 'x');
    await deliver(first);
    await react(id, '❤️');
    await react(id, '🦖');
    expect(await show(first)).toEqual(['a ❤ added']);
  });
});

describe('a reaction reported by a platform', () => {
  it('is recorded with its user and goes to the other chats, not back', async () => {
    await stage.post(first, 'a', 'Hello', { messageId: 'm1', sender: 'ann' });
    await deliver(second);
    const [copy] = await values<string>(
      stage.pool,
      'SELECT external_id FROM remote_messages WHERE connection_id = $1',
      [second],
    );
    // A reaction to the copy goes to the chat of the original, and one to the original goes to the chat of the copy.
    await reported(second, 'b', String(copy));
    expect(await show(first, second)).toEqual(['a 👍 added']);
    await reported(first, 'a', 'm1', { emoji: '🎉' });
    expect(await show(first, second)).toEqual(['b 🎉 added']);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'reaction.%');
    expect(told.map(({ type, data }) => [type, data.emoji, data.platform])).toEqual([
      ['reaction.added', '👍', 'beta'],
      ['reaction.added', '🎉', 'alpha'],
    ]);
    await reported(first, 'a', 'm1', { emoji: '🎉', change: 'removed' });
    expect(await show(first, second)).toEqual(['b 🎉 removed']);
  });

  it.each([
    ['alone', []],
    ['beside the whole chat in another conversation', ['whole']],
  ])(
    'in a thread that it does not name goes to the other chats, not back: linked %s',
    async (_how, linked) => {
      const topics = await stage.conversation();
      await stage.link(topics, first, 'forum', { external_thread_id: '7' });
      await stage.link(topics, second, 'c');
      for (const title of linked) await stage.link(await stage.conversation(), first, 'forum', { title });
      await stage.post(first, 'forum', 'Hello', { messageId: 'm1', sender: 'ann', threadId: '7' });
      await deliver(second);
      await reported(first, 'forum', 'm1');
      expect(await show(first, second)).toEqual(['c 👍 added']);
      const { id } = await stage.send(topics, 'x');
      await deliver(first);
      const [copy] = await values<string>(
        stage.pool,
        'SELECT external_id FROM remote_messages WHERE message_id = $1 AND external_chat_id = $2',
        [id, 'forum'],
      );
      await deliver(second);
      await reported(first, 'forum', copy ?? '', { emoji: '🎉' });
      expect(await show(first, second)).toEqual(['c 🎉 added']);
      const chat = { id: 'forum', kind: 'group' };
      await stage.report(first, { type: 'reactions_cleared', chat, messageId: copy });
      expect(await show(first, second)).toEqual(['c 🎉 removed']);
    },
  );

  it('that arrives before the record of a send in a thread is added to that message', async () => {
    const topics = await stage.conversation();
    await stage.link(topics, first, 'forum', { external_thread_id: '7' });
    await stage.link(topics, second, 'c');
    const { id } = await stage.send(topics, 'x');
    const task = await stage.claimOne(first);
    await reported(first, 'forum', 'early');
    await stage.deliveries.settle([sent(task, 'early')]);
    await deliver(second);
    expect(await show(first, second)).toEqual(['c 👍 added']);
    expect(await values(stage.pool, 'SELECT emoji FROM reactions WHERE message_id = $1', [id])).toEqual([
      '👍',
    ]);
  });

  it('in a thread of a chat that accepts nothing inbound is dropped', async () => {
    const topics = await stage.conversation();
    await stage.link(topics, first, 'forum', { external_thread_id: '7', direction: 'outbound' });
    const { id } = await stage.send(topics, 'x');
    await stage.deliveries.settle([sent(await stage.claimOne(first), 'm1')]);
    await reported(first, 'forum', 'm1');
    expect(await values(stage.pool, 'SELECT emoji FROM reactions WHERE message_id = $1', [id])).toEqual([]);
  });

  it('is ignored if it is by our own account or a blocked person, or on an unknown message', async () => {
    await stage.post(first, 'a', 'Hello', { messageId: 'm1', sender: 'ann' });
    await reported(first, 'a', 'm1', { echo: true });
    await reported(first, 'a', 'm2');
    await stage.pool.query(`UPDATE users SET status = 'blocked' WHERE display_name = 'ann'`);
    await reported(first, 'a', 'm1', { sender: { id: 'ann', displayName: 'ann' } });
    expect(await eventsOf(stage.pool, stage.workspaceId, 'reaction.%')).toEqual([]);
  });
});

describe('other events from a platform', () => {
  const at = { chat: { id: 'a', kind: 'group' }, sender: { id: 'ann', displayName: 'Ann' } };

  it('typing is reported and passed on to the other chats', async () => {
    await stage.pool.query('DELETE FROM outbox');
    await stage.report(first, { ...at, type: 'typing', state: 'started' });
    const [told] = await eventsOf(stage.pool, stage.workspaceId, 'typing.%');
    expect(told).toMatchObject({
      type: 'typing.started',
      data: { conversation_id: conversation, platform: 'alpha' },
    });
    const [reminder] = await values<object>(stage.pool, `SELECT payload FROM outbox WHERE topic = 'signal'`);
    expect(reminder).toMatchObject({ conversation_id: conversation, state: 'started' });
  });

  it('the removal of the account from a chat breaks the chat’s links until it is added again or a person writes', async () => {
    const topics = await stage.conversation();
    const topic = await stage.link(topics, first, 'a', { external_thread_id: '7' });
    const self = { ...at, type: 'membership', user: { id: 'bot' }, self: true };
    const states = () =>
      values<string>(
        stage.pool,
        'SELECT status FROM links WHERE connection_id = $1 ORDER BY external_thread_id NULLS FIRST',
        [first],
      );
    const told = async () =>
      (await eventsOf(stage.pool, stage.workspaceId, 'conversation.link_updated')).map(
        ({ extra }) => (extra as { link: { status: string } }).link.status,
      );
    await stage.report(first, { ...self, change: 'left' });
    await stage.report(first, { ...self, change: 'left' });
    expect([await states(), await told()]).toEqual([
      ['broken', 'broken'],
      ['broken', 'broken'],
    ]);
    expect((await stage.send(topics, 'x')).deliveries).toEqual([]);
    await stage.report(first, { ...self, change: 'joined' });
    await stage.report(first, { ...self, change: 'joined' });
    expect([await states(), (await told()).slice(2)]).toEqual([
      ['active', 'active'],
      ['active', 'active'],
    ]);
    // The removal of a thread affects only that thread.
    await stage.report(first, { ...self, chat: { ...at.chat, threadId: '7' }, change: 'left' });
    expect(await states()).toEqual(['active', 'broken']);
    await stage.post(first, 'a', 'here again', { threadId: '7' });
    expect(await states()).toEqual(['active', 'active']);
    const last = (await eventsOf(stage.pool, stage.workspaceId, 'conversation.link_updated')).at(-1);
    expect(last?.extra?.link).toMatchObject({ id: topic, status: 'active' });
  });

  it('people who join and leave a chat become participants who join and leave', async () => {
    const user = { id: 'guest', displayName: 'Guest' };
    await stage.report(first, { ...at, type: 'membership', user, change: 'joined' });
    await stage.report(first, { ...at, type: 'membership', user, change: 'joined' });
    await stage.report(first, { ...at, type: 'membership', user, change: 'left' });
    await stage.report(first, { ...at, type: 'membership', user, change: 'left' });
    await stage.report(first, { ...at, type: 'membership', user, change: 'joined', self: true });
    const told = await eventsOf(stage.pool, stage.workspaceId, 'conversation.participant_%');
    expect(told.map(({ type }) => type)).toEqual([
      'conversation.participant_added',
      'conversation.participant_removed',
    ]);
  });
});
