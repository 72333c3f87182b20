import { afterEach, describe, expect, it } from 'vitest';
import type { DiscordSimulatorOptions } from '../../../adapters/discord/simulator/index.js';
import type { Adapter, InboundEvent } from '../../../src/contract/index.js';
import { DiscordBench } from '../../support/discord.js';

let bench: DiscordBench;
let adapter: Adapter;
const open = async (options: DiscordSimulatorOptions = {}) => {
  bench = await DiscordBench.open(options);
  adapter = await bench.started();
};
afterEach(() => bench.close());

const post = (text: string, chatId = bench.chat()) => bench.simulator.post({ chatId, sender: 'Ada', text });
/** The events of one type, once there are `count` of them. */
const told = async <Type extends InboundEvent['type']>(type: Type, count: number) => {
  const found = () =>
    bench.events(adapter).filter((event): event is InboundEvent & { type: Type } => event.type === type);
  await bench.host.until(() => found().length >= count);
  expect(found()).toHaveLength(count);
  return found();
};

describe('actions of people on Discord other than messages', () => {
  it('reactions are reported with their emoji, and custom emoji by name', async () => {
    await open();
    const { people } = bench.simulator;
    const message = await post('hello');
    people.react(bench.chat(), message, 'Bob', '👍');
    people.react(bench.chat(), message, 'Bob', 'Blob_Wave');
    people.react(bench.chat(), message, 'Bob', '👍', false);
    expect(await told('reaction', 3)).toMatchObject([
      { emoji: '👍', change: 'added', messageId: message, sender: { displayName: 'Bob' } },
      { emoji: ':blob_wave:', change: 'added' },
      { emoji: '👍', change: 'removed' },
    ]);
  });

  it('reactions that a moderator removes are cleared, all or those with one emoji', async () => {
    await open();
    const message = await post('hello');
    bench.simulator.people.clearReactions(bench.chat(), message, '👍');
    bench.simulator.people.clearReactions(bench.chat(), message);
    const [some, all] = await told('reactions_cleared', 2);
    expect(some).toMatchObject({ chat: { id: bench.chat() }, messageId: message, emoji: '👍' });
    expect(all).not.toHaveProperty('emoji');
  });

  it('typing is reported, in servers with the person’s name', async () => {
    await open();
    bench.simulator.people.type(bench.chat(), 'Ada');
    bench.simulator.people.type(bench.direct, 'Ada');
    expect(await told('typing', 2)).toMatchObject([
      { chat: { id: bench.chat(), kind: 'group' }, sender: { displayName: 'Ada' }, state: 'started' },
      { chat: { id: bench.direct, kind: 'direct' }, state: 'started' },
    ]);
  });

  it('a bulk deletion is reported as single deletions', async () => {
    await open();
    const ids = [await post('one'), await post('two')];
    bench.simulator.people.removeMany(bench.chat(), ids);
    expect((await told('message_deleted', 2)).map(({ messageId }) => messageId)).toEqual(ids);
  });

  it('a person who joins or leaves the server joins or leaves each channel that everyone can see', async () => {
    await open();
    bench.simulator.people.join('Eve');
    bench.simulator.people.leave('Eve');
    const channels = [bench.chat(0), bench.chat(1), bench.chat(2)];
    const changes = await told('membership', 6);
    expect(changes.map(({ chat, change }) => [chat.id, change])).toEqual([
      ...channels.map((id) => [id, 'joined']),
      ...channels.map((id) => [id, 'left']),
    ]);
    expect(changes[0]).toMatchObject({ user: { displayName: 'Eve', handle: 'eve' } });
  });

  it('without the permission to see members, joins and leaves are not reported, and everything else works', async () => {
    await open({ members: false });
    bench.simulator.people.join('Eve');
    await post('hello');
    await told('message', 1);
    await told('membership', 0);
    expect(bench.host.reports.at(-1)?.code).toBe('ok');
  });

  it('a new name of a channel or thread is reported, other changed settings are not', async () => {
    await open();
    bench.simulator.people.retouch(bench.chat());
    bench.simulator.people.rename(bench.chat(), 'lounge');
    bench.simulator.people.rename(bench.thread, 'release 2');
    expect(await told('chat_renamed', 2)).toMatchObject([
      { chat: { id: bench.chat() }, title: 'lounge' },
      { chat: { id: bench.chat(), threadId: bench.thread }, title: 'release 2' },
    ]);
  });

  it('channels and roles are mentioned by their names, also after a restart', async () => {
    await open();
    const { gateway, people } = bench.simulator;
    gateway.dispatchRaw('GUILD_ROLE_CREATE', { guild_id: '1', role: { id: '55', name: 'crew' } });
    gateway.dispatchRaw('GUILD_ROLE_UPDATE', { guild_id: '1', role: { id: '55', name: 'team' } });
    people.rename(bench.chat(), 'lounge');
    await post(`<#${bench.chat()}> <@&55> <#99>`);
    const texts = async (count: number) => (await told('message', count)).map(({ content }) => content.text);
    expect(await texts(1)).toEqual(['#lounge @team #unknown']);
    await adapter.stop();
    adapter = await bench.started();
    await post(`<#${bench.chat(1)}>`);
    expect(await texts(2)).toEqual(['#lounge @team #unknown', '#support']);
  });

  it('the bot leaves a channel that is deleted', async () => {
    await open();
    const gone = bench.chat(1);
    bench.simulator.people.close(gone);
    expect(await told('membership', 1)).toMatchObject([{ chat: { id: gone }, change: 'left', self: true }]);
  });

  it('the bot leaves all channels of a server that removed it, but not those of a server with an outage', async () => {
    await open();
    const { gateway } = bench.simulator;
    await post('hello');
    await told('message', 1);
    const guild_id = bench.host.envelopes.flatMap(({ payload }) => {
      const { d } = payload as { d?: { guild_id?: string } };
      return d?.guild_id ?? [];
    })[0];
    gateway.dispatchRaw('GUILD_DELETE', { id: guild_id, unavailable: true });
    gateway.dispatchRaw('GUILD_DELETE', { id: guild_id });
    const left = await told('membership', 4);
    expect(left.map(({ chat }) => chat.id).sort()).toEqual(
      [bench.chat(0), bench.chat(1), bench.chat(2), bench.simulator.forumId].sort(),
    );
    expect(left.every(({ change, self }) => change === 'left' && self === true)).toBe(true);
  });

  it('the bot joins all channels of a server that added it, but not those of a server that returns after an outage', async () => {
    await open();
    const { gateway } = bench.simulator;
    const server = (joined: number) => ({
      id: '900',
      joined_at: new Date(joined).toISOString(),
      channels: [0, 2, 4, 15].map((type) => ({ id: `90${type}`, type, name: `channel ${type}` })),
    });
    gateway.dispatchRaw('GUILD_CREATE', server(Date.now() - 3_600_000));
    gateway.dispatchRaw('GUILD_CREATE', server(Date.now()));
    await post('hello');
    await told('message', 1);
    const joined = await told('membership', 3);
    expect(joined.map(({ chat }) => chat.id).sort()).toEqual(['900', '9015', '902']);
    expect(joined.every(({ change, self }) => change === 'joined' && self === true)).toBe(true);
    expect(JSON.stringify(bench.host.envelopes)).not.toContain('channel 15');
  });

  it('a thread is a place in its channel, also a new one and also after a restart', async () => {
    await open();
    const thread = bench.simulator.people.openThread(bench.chat(), 'details');
    await post('in the new thread', thread);
    await told('message', 1);
    await adapter.stop();
    adapter = await bench.started();
    await post('in the old thread', bench.thread);
    const chat = { id: bench.chat(), kind: 'group', title: 'general' };
    expect(await told('message', 2)).toMatchObject([
      { chat: { ...chat, threadId: thread } },
      { chat: { ...chat, threadId: bench.thread } },
    ]);
  });
});

describe('commands and buttons', () => {
  it('a slash command becomes a message with its words, and is answered only to its sender', async () => {
    await open();
    const id = bench.simulator.people.command(bench.chat(), 'Ada', 'ask', { question: 'why?', times: 2 });
    expect(await told('message', 1)).toMatchObject([
      {
        messageId: id,
        chat: { id: bench.chat(), title: 'general' },
        sender: { displayName: 'Ada' },
        content: { text: '/ask question: why? times: 2' },
      },
    ]);
    await bench.host.until(() => bench.simulator.people.answerTo(id) !== undefined);
    expect(bench.simulator.people.answerTo(id)).toEqual({
      type: 4,
      data: { content: 'Received.', flags: 64 },
    });
  });

  it('a button becomes a reply with its label, and its message stays the same', async () => {
    await open();
    const [receipt] = await bench.send(adapter, bench.chat(), 'Shall we?');
    const id = bench.simulator.people.press(bench.chat(), 'Ada', receipt?.remoteId ?? '', 'Yes');
    const [event] = (await told('message', 2)).filter(({ echo }) => echo !== true);
    expect(event).toMatchObject({ content: { text: 'Yes' }, replyToId: receipt?.remoteId });
    await bench.host.until(() => bench.simulator.people.answerTo(id) !== undefined);
    expect(bench.simulator.people.answerTo(id)).toEqual({ type: 6 });
  });

  it('a command is answered only after it is stored, even after a database outage, and its envelope contains no token', async () => {
    await open();
    bench.host.failure = new Error('the database is away');
    const id = bench.simulator.people.command(bench.direct, 'Ada', 'help');
    await bench.host.until(() => bench.host.received >= 2);
    expect(bench.simulator.people.answerTo(id)).toBeUndefined();
    bench.host.failure = undefined;
    expect(await told('message', 1)).toMatchObject([
      { content: { text: '/help' }, chat: { kind: 'direct' } },
    ]);
    expect(JSON.stringify(bench.host.envelopes)).not.toContain('interaction-token');
  });
});
