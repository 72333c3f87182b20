import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainContent, remoteChatId, remoteMessageId } from '../../../src/contract/index.js';
import { png } from '../../support/files.js';
import { createFrom, partsOf, problemOf, SlackBench } from '../../support/slack-bench.js';

/** A fake of Slack's Web API that other people wrote. It checks both the adapter and the simulator. */
describe('the Slack adapter with an independent emulator', () => {
  const token = 'xoxb-emulated-token';
  let emulator: Emulator;
  let bench: SlackBench;

  beforeAll(async () => {
    emulator = await createEmulator({
      service: 'slack',
      port: 40_000 + (process.pid % 20_000),
      seed: {
        tokens: { [token]: { login: 'U000000001' } },
        slack: { channels: [{ name: 'bridged' }], users: [{ name: 'dana' }] },
      },
    });
    bench = new SlackBench();
    bench.adapter = await createFrom(
      {
        credentials: { bot_token: token, signing_secret: 's' },
        settings: { api_base_url: `${emulator.url}/api`, ingress: 'webhook' },
      },
      bench.host,
    );
  });
  afterAll(async () => {
    await bench.stop();
    await emulator.close();
  });

  async function call(method: string, args: Record<string, string>): Promise<Record<string, unknown>> {
    const answer = await fetch(`${emulator.url}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
    });
    return (await answer.json()) as Record<string, unknown>;
  }

  async function channelId(): Promise<string> {
    const { channels } = (await call('conversations.list', {})) as {
      channels: { id: string; name: string }[];
    };
    return channels.find((channel) => channel.name === 'bridged')?.id ?? '';
  }

  it('posts, replies, edits and deletes', async () => {
    const channel = await channelId();
    const root = await bench.send(channel, 'Hello <there>');
    const rootId = root[0]?.remoteId ?? remoteMessageId('');
    const reply = await bench.send(channel, 'A reply', { replyToId: rootId });
    await bench.edit(channel, root, 'Hello & welcome');
    const thread = (await call('conversations.replies', { channel, ts: rootId })) as {
      messages: { text: string; ts: string; thread_ts?: string }[];
    };
    expect(thread.messages).toMatchObject([
      { ts: rootId, text: 'Hello &amp; welcome' },
      { ts: reply[0]?.remoteId, text: 'A reply', thread_ts: rootId },
    ]);
    await bench.delete(channel, reply);
    await bench.delete(channel, reply);
    const after = (await call('conversations.replies', { channel, ts: rootId })) as { messages: unknown[] };
    expect(after.messages).toHaveLength(1);
  });

  it('reacts, also twice, and removes the reaction', async () => {
    const channel = await channelId();
    const [sent] = await bench.send(channel, 'Nice');
    const messageId = sent?.remoteId ?? remoteMessageId('');
    const react = (emoji: string, change: 'added' | 'removed') =>
      bench.run({ type: 'react', to: { chatId: remoteChatId(channel) }, messageId, emoji, change });
    const reactions = async () => {
      const { message } = (await call('reactions.get', { channel, timestamp: messageId })) as {
        message: { reactions?: { name: string }[] };
      };
      return (message.reactions ?? []).map(({ name }) => name);
    };
    for (const emoji of ['👍', '👍', '🎉']) await react(emoji, 'added');
    expect(await reactions()).toEqual(['+1', 'tada']);
    for (const emoji of ['👍', '👍']) await react(emoji, 'removed');
    expect(await reactions()).toEqual(['tada']);
  });

  it('shares files in one message with their text, and deletes all of it', async () => {
    const channel = await channelId();
    const attachments = ['a', 'b'].map((name) => {
      const bytes = png(1, 1);
      const blob = new Blob([new Uint8Array(bytes)]);
      bench.host.media.set(name, { name, mimeType: 'image/png', sizeBytes: bytes.length, blob });
      return { type: 'image', mediaRef: name, sizeBytes: bytes.length, mimeType: 'image/png' } as const;
    });
    const receipts = await bench.send(channel, { ...plainContent('Look here'), attachments });
    const { messages } = (await call('conversations.history', { channel })) as {
      messages: { text: string }[];
    };
    expect(messages[0]).toMatchObject({ text: 'Look here', ts: receipts[0]?.remoteId });
    const parts = partsOf(receipts, 'media');
    await bench.run({ type: 'delete', to: { chatId: remoteChatId(channel) }, parts });
    const after = (await call('files.list', { channel })) as { files: unknown[] };
    expect(after.files).toEqual([]);
  });

  it('identifies itself, opens a direct chat and recognises the refusals', async () => {
    expect((await bench.adapter.identify()).externalId).toBe('U000000001');
    const { members } = (await call('users.list', {})) as { members: { id: string; name: string }[] };
    const dana = members.find((member) => member.name === 'dana')?.id ?? '';
    const direct = (await bench.adapter.openDirect?.(dana)) ?? '';
    expect(direct).toMatch(/^D/);
    await bench.edit(direct, await bench.send(direct, 'Hello'), 'Hello Dana');
    expect(await call('conversations.history', { channel: direct })).toMatchObject({
      messages: [{ text: 'Hello Dana' }],
    });
    expect(await problemOf(bench.send('C0NOWHERE', 'x'))).toMatchObject({
      problem: { kind: 'rejected', reason: 'recipient_gone' },
      code: 'channel_not_found',
    });
  });
});
