import { afterEach, describe, expect, it } from 'vitest';
import type { DiscordSimulatorOptions } from '../../../adapters/discord/simulator/index.js';
import {
  type Adapter,
  type Content,
  type PartStep,
  PlatformError,
  plainContent,
  type Receipt,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { context, DiscordBench, newKey, sendTo } from '../../support/discord.js';

const EXECUTE = 'POST /webhooks/:id/:token';
const ada = { displayName: 'Ada L.', avatarUrl: 'https://bridge.example/ada.png' };
let bench: DiscordBench;
let adapter: Adapter;
const open = async (options: DiscordSimulatorOptions = { limits: 'none' }) => {
  bench = await DiscordBench.open(options);
  adapter = await bench.adapter();
};
afterEach(() => bench.close());

const visible = (chatId = bench.chat()) => bench.simulator.messages(chatId).filter(({ deleted }) => !deleted);
const say = (content: Content | string, chatId = bench.chat()) =>
  bench.run(adapter, { ...sendTo(chatId, content), persona: ada });
const partsOf = (receipts: readonly Receipt[]) =>
  receipts.map(({ remoteId }, index) => ({ index, kind: 'text' as const, id: remoteId! }));
const edit = (text: string, receipts: readonly Receipt[], to = { chatId: remoteChatId(bench.chat()) }) =>
  bench.run(adapter, {
    type: 'edit',
    to,
    content: plainContent(text),
    parts: partsOf(receipts),
    persona: ada,
  });
const remove = async (receipts: readonly Receipt[], by = adapter) => {
  const to = { chatId: remoteChatId(bench.chat()) };
  const { steps } = by.plan({ type: 'delete', to, parts: partsOf(receipts) }, by.capabilities());
  for (const step of steps) await by.execute(step, context(bench.chat()));
};

describe('a Discord message in a person’s name', () => {
  it('is sent by the channel’s webhook, which is created once, with name and picture and without pinging anyone', async () => {
    await open();
    await say('one');
    await say('two');
    expect(visible()).toMatchObject([
      { text: 'one', sender: 'Ada L.', own: true },
      { text: 'two', sender: 'Ada L.' },
    ]);
    expect(bench.simulator.webhooks(bench.chat())).toEqual(['Trunkline']);
    expect(bench.simulator.ledger.entries(EXECUTE)[0]?.request).toMatchObject({
      query: 'wait=true',
      body: {
        username: 'Ada L.',
        avatar_url: ada.avatarUrl,
        allowed_mentions: { parse: [], replied_user: false },
      },
    });
  });

  it('uses the existing webhook after a restart', async () => {
    await open();
    await say('one');
    adapter = await bench.adapter();
    await say('two');
    expect(bench.simulator.webhooks(bench.chat())).toHaveLength(1);
  });

  it('appears in its thread', async () => {
    await open();
    const to = { chatId: remoteChatId(bench.chat()), threadId: remoteThreadId(bench.thread) };
    const { steps } = adapter.plan(
      { ...sendTo(bench.chat(), 'here'), to, persona: ada },
      adapter.capabilities(),
    );
    const receipt = await adapter.execute(steps[0]!, { ...context(bench.chat()), to });
    expect(visible(bench.thread)).toMatchObject([{ text: 'here', sender: 'Ada L.' }]);
    const part = { index: 0, kind: 'text' as const, id: receipt.remoteId! };
    const change = { type: 'edit' as const, to, content: plainContent('there'), parts: [part], persona: ada };
    for (const step of adapter.plan(change, adapter.capabilities()).steps)
      await adapter.execute(step, { ...context(bench.chat()), to });
    expect(visible(bench.thread)).toMatchObject([{ text: 'there', edited: true }]);
  });

  it('is edited and deleted by its webhook, also by a process that did not send it', async () => {
    await open();
    const receipts = await say('first');
    await edit('second', receipts);
    adapter = await bench.adapter();
    await edit('third', receipts);
    expect(visible()).toMatchObject([{ text: 'third', sender: 'Ada L.', edited: true }]);
    await remove(receipts, await bench.adapter());
    expect(visible()).toEqual([]);
    await remove(receipts, await bench.adapter());
  });

  it('comes back as an echo', async () => {
    await open();
    await adapter.start();
    await say('mine');
    await bench.host.until(() => bench.host.envelopes.length === 1);
    expect(bench.events(adapter)).toMatchObject([{ type: 'message', echo: true }]);
  });

  it('links to the message it replies to, since webhooks can’t reply, and reports the degradation', async () => {
    await open();
    const question = await bench.simulator.post({ chatId: bench.chat(), sender: 'Bob', text: '?' });
    const [receipt] = await bench.run(adapter, {
      ...sendTo(bench.chat(), 'because'),
      persona: ada,
      replyToId: remoteMessageId(question),
    });
    expect(receipt?.degradations).toEqual(['reply']);
    const request = bench.simulator.ledger.entries(EXECUTE)[0]?.request;
    expect(JSON.stringify(request)).toContain(`/${bench.chat()}/${question})`);
  });

  it('includes its files', async () => {
    await open();
    bench.host.media.set('m1', {
      name: 'a.txt',
      mimeType: 'text/plain',
      sizeBytes: 2,
      blob: new Blob(['hi']),
    });
    const attachments = [
      { type: 'file' as const, mediaRef: 'm1', sizeBytes: 2, url: 'https://b.example/m1' },
    ];
    await say({ text: 'see', spans: [], attachments });
    expect(visible()).toMatchObject([{ text: 'see', files: [{ name: 'a.txt' }] }]);
  });
});

describe('without a Discord webhook', () => {
  const attributed = [{ text: 'Ada L.: hello', sender: 'Trunkline' }];

  const reasons: Readonly<Record<string, () => string>> = {
    'since the bot may not manage them': () => {
      bench.simulator.denyWebhooks(bench.chat());
      return bench.chat();
    },
    'since others have used up all ten': () => {
      bench.simulator.addWebhooks(bench.chat(), 10);
      return bench.chat();
    },
    'since it is a direct message': () => bench.direct,
  };

  it.each(Object.entries(reasons))(
    '%s, the bot writes with the name before the text, and reports the degradation',
    async (_why, chat) => {
      await open();
      const chatId = chat();
      const receipts = await say('hello', chatId);
      expect(receipts[0]?.degradations).toEqual(['persona_override']);
      expect(visible(chatId)).toMatchObject(attributed);
      await edit('bye', receipts, { chatId: remoteChatId(chatId) });
      expect(visible(chatId)).toMatchObject([{ text: 'Ada L.: bye', edited: true }]);
      await say('again', chatId);
      expect(bench.count('GET /channels/:id/webhooks')).toBeLessThanOrEqual(1);
    },
  );

  it('since it was removed, a new one is created', async () => {
    await open();
    await say('one');
    bench.simulator.removeWebhooks(bench.chat());
    await say('two');
    expect(visible().map(({ sender }) => sender)).toEqual(['Ada L.', 'Ada L.']);
    expect(bench.simulator.webhooks(bench.chat())).toHaveLength(1);
  });
});

describe('a lost response of a Discord webhook', () => {
  const lose = async (text: string, fault: 'drop_before' | 'drop_after') => {
    await say('before');
    bench.simulator.faults.set({ call: EXECUTE, fault: { kind: fault } });
    const startedAt = new Date().toISOString();
    const operation = { ...sendTo(bench.chat(), text), persona: ada };
    const [step] = adapter.plan(operation, adapter.capabilities()).steps as [PartStep];
    const error: unknown = await adapter
      .execute(step, context(bench.chat()))
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(PlatformError);
    expect((error as PlatformError).dispatched).toBe('unknown');
    return { to: operation.to, key: newKey(), step, startedAt };
  };

  it('is looked up by the name and text of the message, because webhooks have no nonce', async () => {
    await open();
    const query = await lose('written once', 'drop_after');
    const other = await bench.adapter();
    expect(await other.lookup!(query)).toEqual({ outcome: 'found', remoteId: visible()[1]?.id });
  });

  it('is reported as absent when the message was never written, even if another person wrote the same text', async () => {
    await open();
    const query = await lose('never written', 'drop_before');
    await bench.simulator.post({ chatId: bench.chat(), sender: 'Bob', text: 'never written' });
    await bench.run(adapter, { ...sendTo(bench.chat(), 'never written'), persona: { displayName: 'Eve' } });
    expect(await adapter.lookup!(query)).toEqual({ outcome: 'absent' });
  });

  it('is not confused with an equal message that is known', async () => {
    await open();
    const query = await lose('before', 'drop_after');
    expect(await adapter.lookup!(query)).toEqual({ outcome: 'undecidable', askAgainAfterMs: 60_000 });
    const [known, lost] = visible().map(({ id }) => remoteMessageId(id));
    expect(await adapter.lookup!({ ...query, knownIds: [known!] })).toEqual({
      outcome: 'found',
      remoteId: lost,
    });
  });
});

describe('a Discord forum', () => {
  it('receives a post per message that holds all parts of the text, and edits and deletions reach it', async () => {
    await open();
    const forum = bench.simulator.forumId;
    const receipts = await bench.send(adapter, forum, `Idea *one*\n${'word '.repeat(500)}`);
    const [post] = bench.simulator.threads().filter(({ parentId }) => parentId === forum);
    expect(post?.title).toBe('Idea *one*');
    expect(visible(post?.id)).toHaveLength(2);
    adapter = await bench.adapter();
    await edit(`Better\n${'word '.repeat(500)}`, receipts, { chatId: remoteChatId(forum) });
    expect(visible(post?.id).map(({ edited }) => edited)).toEqual([true, true]);
    const to = { chatId: remoteChatId(forum) };
    const { steps } = adapter.plan({ type: 'delete', to, parts: partsOf(receipts) }, adapter.capabilities());
    for (const step of steps) await adapter.execute(step, context(forum));
    expect(visible(post?.id)).toEqual([]);
  });

  it('receives posts in the names of people too', async () => {
    await open();
    const forum = bench.simulator.forumId;
    await say(`Plan\n${'word '.repeat(500)}`, forum);
    const [post] = bench.simulator.threads().filter(({ parentId }) => parentId === forum);
    expect(post?.title).toBe('Plan');
    expect(visible(post?.id).map(({ sender }) => sender)).toEqual(['Ada L.', 'Ada L.']);
  });
});

describe('a reaction of the Discord bot', () => {
  const react = async (messageId: string, emoji: string, change: 'added' | 'removed' = 'added') => {
    const to = { chatId: remoteChatId(bench.chat()) };
    const operation = { type: 'react' as const, to, messageId: remoteMessageId(messageId), emoji, change };
    for (const step of adapter.plan(operation, adapter.capabilities()).steps)
      await adapter.execute(step, context(bench.chat()));
  };

  it('is added and removed as Unicode with or without a variation selector, or as custom emoji by name', async () => {
    await open();
    const message = await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'look' });
    for (const emoji of ['👍', '❤', '❤️', ':blob_wave:']) await react(message, emoji);
    expect(bench.simulator.reactions(bench.chat(), message)).toEqual({
      '👍': 1,
      '❤️': 1,
      'Blob_Wave:410000000000000001': 1,
    });
    for (const emoji of ['👍', '👍', ':blob_wave:']) await react(message, emoji, 'removed');
    expect(bench.simulator.reactions(bench.chat(), message)).toEqual({ '❤️': 1 });
  });

  it('with an emoji that the server lacks is refused before anything is written', async () => {
    await open();
    const message = await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'look' });
    await expect(react(message, ':party_parrot:')).rejects.toMatchObject({
      problem: { kind: 'rejected', reason: 'unsupported' },
      dispatched: 'no',
    });
    expect(bench.simulator.ledger.entries().filter(({ committed }) => committed)).toEqual([]);
  });

  it('can be removed from a deleted message without an error', async () => {
    await open();
    await react('1234567890123456789', '👍', 'removed');
  });
});
