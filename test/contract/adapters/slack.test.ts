import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainContent, remoteChatId, remoteMessageId, remoteThreadId } from '../../../src/contract/index.js';
import { createFrom, problemOf, SlackBench } from '../../support/slack-bench.js';

const CHANNEL = 'C0SIMGENERAL';
const OTHER = 'C0SIMSUPPORT';

let bench: SlackBench;

beforeEach(async () => {
  bench = new SlackBench();
  await bench.startWebhook();
});
afterEach(() => bench.stop());

describe('sending to Slack', () => {
  it('reports the identity of the bot token', async () => {
    expect(await bench.adapter.identify()).toEqual({
      externalId: 'U0SIMBRIDGE',
      handle: 'bridge',
      name: 'bridge',
    });
  });

  it('posts a text exactly once and returns its ts', async () => {
    const [receipt] = await bench.send(CHANNEL, 'Hello <world> & all');
    expect(bench.simulator.messages(CHANNEL)).toMatchObject([
      { id: receipt?.remoteId, text: 'Hello <world> & all', own: true },
    ]);
    expect(bench.simulator.ledger.counts()['chat.postMessage']).toBe(1);
  });

  it('sends text without pinging anyone or unfurling links', async () => {
    await bench.send(CHANNEL, '<!channel> <@U1> @here https://example.com');
    const [entry] = bench.simulator.ledger.entries('chat.postMessage');
    expect(entry?.request).toMatchObject({
      text: '&lt;!channel&gt; &lt;@U1&gt; @here https://example.com',
      parse: 'none',
      link_names: 'false',
      unfurl_links: 'false',
      unfurl_media: 'false',
    });
  });

  it('replies in the thread of the original, also when the original is itself a reply', async () => {
    const root = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Root' });
    const reply = await bench.simulator.post({
      chatId: CHANNEL,
      sender: 'Bob',
      text: 'Reply',
      replyToId: root,
    });
    await bench.send(CHANNEL, 'to the root', { replyToId: remoteMessageId(root) });
    await bench.send(CHANNEL, 'to the reply', { replyToId: remoteMessageId(reply) });
    expect(
      bench.simulator
        .messages(CHANNEL)
        .slice(2)
        .map((message) => message.replyToId),
    ).toEqual([root, root]);
  });

  it('posts to a thread that is given as the destination', async () => {
    const root = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Root' });
    await bench.send(CHANNEL, 'inside', {
      to: { chatId: remoteChatId(CHANNEL), threadId: remoteThreadId(root) },
    });
    expect(bench.simulator.messages(CHANNEL)[1]?.replyToId).toBe(root);
  });

  it('posts to the channel with a degradation when the original of a reply is gone', async () => {
    const receipts = await bench.send(CHANNEL, 'late', { replyToId: remoteMessageId('1.000001') });
    expect(receipts[0]?.degradations).toEqual(['reply']);
    expect(bench.simulator.messages(CHANNEL)[0]?.replyToId).toBeUndefined();
  });

  it('edits across the split boundary in both directions', async () => {
    const receipts = await bench.send(CHANNEL, 'short');
    const grown = await bench.edit(CHANNEL, receipts, 'word '.repeat(2_000));
    expect(bench.texts(CHANNEL)).toHaveLength(3);
    expect(bench.texts(CHANNEL).join('')).toBe('word '.repeat(2_000));
    await bench.edit(CHANNEL, grown, 'short again');
    expect(bench.texts(CHANNEL)).toEqual(['short again']);
  });

  it('keeps the parts that an edit adds in the thread of the first part', async () => {
    const root = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Root' });
    const receipts = await bench.send(CHANNEL, 'short', { replyToId: remoteMessageId(root) });
    const afterRestart = await createFrom(bench.simulator.account(), bench.host);
    bench.adapter = afterRestart;
    await bench.edit(CHANNEL, receipts, 'word '.repeat(1_500));
    expect(
      bench.simulator
        .messages(CHANNEL)
        .slice(1)
        .map((message) => message.replyToId),
    ).toEqual([root, root]);
  });

  it('deletes every part, and accepts a second deletion', async () => {
    const receipts = await bench.send(CHANNEL, 'word '.repeat(1_000));
    await bench.delete(CHANNEL, receipts);
    await bench.delete(CHANNEL, receipts);
    expect(bench.texts(CHANNEL)).toEqual([]);
  });

  it('opens the direct chat with a person under an id in which messages can be edited', async () => {
    const chatId = (await bench.adapter.openDirect?.(bench.simulator.address(7))) ?? '';
    const receipts = await bench.send(chatId, 'Hello');
    await bench.edit(chatId, receipts, 'Hello there');
    expect(chatId).toMatch(/^D/);
    expect(bench.texts(chatId)).toEqual(['Hello there']);
  });
});

describe('a first Slack message to a person', () => {
  it('is sent to the user id, and reports the direct channel that it opened', async () => {
    const address = bench.simulator.address(8);
    const [receipt] = await bench.send(address, 'Hello');
    const chatId = receipt?.chatId ?? '';
    expect(chatId).toMatch(/^D/);
    expect([bench.texts(chatId), bench.simulator.ledger.counts()['conversations.open']]).toEqual([
      ['Hello'],
      undefined,
    ]);
    await bench.edit(chatId, receipt === undefined ? [] : [receipt], 'Hello there');
    expect(bench.texts(chatId)).toEqual(['Hello there']);
  });

  it('is sent to the address only if it is a text and the address is a person', () => {
    const step = { action: 'create', index: 0, payload: {} } as const;
    const may = (kind: 'text' | 'media', address: string) =>
      bench.adapter.writesToAddress?.({ ...step, kind }, address);
    expect([may('text', 'U0123'), may('media', 'U0123'), may('text', 'C0123')]).toEqual([true, false, false]);
  });
});

describe('a failing call to Slack', () => {
  it('reports the wait and the scope of the chat on a 429, and is not repeated', async () => {
    bench.simulator.faults.set({
      fault: { kind: 'rate_limited', retryAfterMs: 7_000 },
      call: 'chat.postMessage',
    });
    const error = await problemOf(bench.send(CHANNEL, 'x'));
    expect(error.problem).toEqual({ kind: 'rate_limited', retryAfterMs: 7_000, scope: 'chat' });
    expect(error.dispatched).toBe('no');
    expect(bench.simulator.ledger.counts()['chat.postMessage']).toBe(1);
  });

  it('reports the scope of the method when an edit is rate limited', async () => {
    bench.simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 1_000 }, call: 'chat.update' });
    const error = await problemOf(bench.edit(CHANNEL, [{ remoteId: remoteMessageId('1.000001') }], 'x'));
    expect(error.problem).toMatchObject({ kind: 'rate_limited', scope: 'method' });
  });

  it('reports the scope of the chat when the lookup of a thread is rate limited, and prevents further lookups', async () => {
    bench.simulator.faults.set({
      fault: { kind: 'rate_limited', retryAfterMs: 9_000 },
      call: 'conversations.replies',
    });
    const reply = { replyToId: remoteMessageId('1.000001') };
    for (const chat of [CHANNEL, OTHER]) {
      const { problem } = await problemOf(bench.send(chat, 'x', reply));
      expect(problem).toMatchObject({ kind: 'rate_limited', retryAfterMs: 9_000, scope: 'chat' });
    }
    await bench.send(OTHER, 'no reply');
    expect(bench.simulator.ledger.counts()).toMatchObject({
      'conversations.replies': 1,
      'chat.postMessage': 1,
    });
  });

  it('reports the scope of the chat when the lookup of a lost write is rate limited', async () => {
    bench.simulator.faults.set({
      fault: { kind: 'rate_limited', retryAfterMs: 9_000 },
      call: 'conversations.history',
    });
    const to = { chatId: remoteChatId(CHANNEL) };
    const [step] = bench.adapter.plan(
      { type: 'send', to, content: plainContent('lost') },
      bench.adapter.capabilities(),
    ).steps;
    if (step === undefined) throw new Error('no step');
    const query = { to, key: bench.nextKey(), step, startedAt: new Date().toISOString() };
    for (let count = 0; count < 2; count += 1)
      expect((await problemOf(bench.adapter.lookup?.(query) ?? Promise.resolve())).problem).toMatchObject({
        kind: 'rate_limited',
        scope: 'chat',
      });
    expect(bench.simulator.ledger.counts()['conversations.history']).toBe(1);
  });

  it('has an unknown outcome when the connection breaks after the write, and the message is found by its key', async () => {
    bench.simulator.faults.set({ fault: { kind: 'drop_after' }, call: 'chat.postMessage' });
    const key = bench.nextKey();
    const to = { chatId: remoteChatId(CHANNEL) };
    const { steps } = bench.adapter.plan(
      { type: 'send', to, content: plainContent('once') },
      bench.adapter.capabilities(),
    );
    const [step] = steps;
    if (step === undefined) throw new Error('no step');
    const startedAt = new Date().toISOString();
    const error = await problemOf(
      bench.adapter.execute(step, { to, key, signal: new AbortController().signal }),
    );
    expect(error).toMatchObject({ problem: { kind: 'unavailable' }, dispatched: 'unknown' });
    const [stored] = bench.simulator.messages(CHANNEL);
    expect(await bench.adapter.lookup?.({ to, key, step, startedAt })).toEqual({
      outcome: 'found',
      remoteId: stored?.id,
    });
    expect(await bench.adapter.lookup?.({ to, key: 'f'.repeat(32), step, startedAt })).toEqual({
      outcome: 'absent',
    });
  });

  it('can leave a lost reply, which is found on any page of its thread', async () => {
    const root = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Root' });
    for (let count = 0; count < 250; count += 1)
      await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: `r${count}`, replyToId: root });
    bench.simulator.faults.set({ fault: { kind: 'drop_after' }, call: 'chat.postMessage' });
    const to = { chatId: remoteChatId(CHANNEL) };
    const operation = {
      type: 'send',
      to,
      content: plainContent('lost'),
      replyToId: remoteMessageId(root),
    } as const;
    const [step] = bench.adapter.plan(operation, bench.adapter.capabilities()).steps;
    if (step === undefined) throw new Error('no step');
    const key = bench.nextKey();
    await problemOf(bench.adapter.execute(step, { to, key, signal: new AbortController().signal }));
    const result = await bench.adapter.lookup?.({ to, key, step, startedAt: new Date().toISOString() });
    expect(result).toEqual({ outcome: 'found', remoteId: bench.simulator.messages(CHANNEL).at(-1)?.id });
  });

  it('has an unknown outcome after a connection reset or a 502, and is not retried', async () => {
    bench.simulator.faults.set({ fault: { kind: 'drop_before' }, call: 'chat.postMessage' });
    bench.simulator.faults.set({ fault: { kind: 'status', status: 502 }, call: 'chat.postMessage' });
    expect((await problemOf(bench.send(CHANNEL, 'x'))).dispatched).toBe('unknown');
    const error = await problemOf(bench.send(CHANNEL, 'x'));
    expect(error).toMatchObject({
      problem: { kind: 'unavailable', cause: 'platform_down' },
      dispatched: 'unknown',
      code: 'http_502',
    });
    expect(bench.simulator.ledger.counts()['chat.postMessage']).toBe(2);
  });

  it('reports that no message was written when the platform does not listen', async () => {
    await bench.simulator.stop();
    expect(await problemOf(bench.send(CHANNEL, 'x'))).toMatchObject({
      problem: { kind: 'unavailable', cause: 'network' },
      dispatched: 'no',
    });
  });

  it('ends at once when it is aborted, with an unknown outcome', async () => {
    bench.simulator.faults.set({ fault: { kind: 'delay', ms: 2_000 }, call: 'chat.postMessage' });
    const abort = new AbortController();
    const to = { chatId: remoteChatId(CHANNEL) };
    const [step] = bench.adapter.plan(
      { type: 'send', to, content: plainContent('x') },
      bench.adapter.capabilities(),
    ).steps;
    if (step === undefined) throw new Error('no step');
    const call = problemOf(bench.adapter.execute(step, { to, key: bench.nextKey(), signal: abort.signal }));
    setTimeout(() => abort.abort(), 20);
    const begun = Date.now();
    expect((await call).dispatched).toBe('unknown');
    expect(Date.now() - begun).toBeLessThan(1_000);
  });

  it('reports revoked credentials, and never shows the token', async () => {
    bench.simulator.faults.set({ fault: { kind: 'revoked' }, times: Number.POSITIVE_INFINITY });
    const error = await problemOf(bench.send(CHANNEL, 'x'));
    expect(error).toMatchObject({ problem: { kind: 'unauthorized' }, code: 'token_revoked' });
    expect(error.fix).toBeDefined();
    expect(await problemOf(bench.adapter.identify())).toMatchObject({ problem: { kind: 'unauthorized' } });
    expect(JSON.stringify([error.message, error.fix, bench.host.reports])).not.toContain('xoxb-');
  });

  it('distinguishes a missing channel from one that the app was not invited to', async () => {
    expect(await problemOf(bench.send('C0NOWHERE', 'x'))).toMatchObject({
      problem: { kind: 'rejected', reason: 'recipient_gone' },
      code: 'channel_not_found',
      dispatched: 'no',
    });
    const channel = bench.simulator.workspace.channel(OTHER);
    if (channel !== undefined) channel.member = false;
    expect(await problemOf(bench.send(OTHER, 'x'))).toMatchObject({
      problem: { kind: 'rejected', reason: 'forbidden' },
      code: 'not_in_channel',
    });
  });

  it('is refused without stopping the connection if a direct chat needs a scope that the app lacks', async () => {
    const ann = bench.simulator.workspace.person('Ann').id;
    bench.simulator.scopes.delete('im:write');
    expect(await problemOf(bench.adapter.openDirect?.(ann) ?? Promise.resolve())).toMatchObject({
      problem: { kind: 'rejected', reason: 'forbidden' },
      code: 'missing_scope',
      fix: expect.stringContaining('im:write'),
    });
  });

  it('wrote nothing if the upload of a file breaks off', async () => {
    const file = { name: 'a.txt', mimeType: 'text/plain', sizeBytes: 2, blob: new Blob(['Hi']) };
    bench.host.media.set('m1', file);
    bench.host.fetch = async (input, init) => {
      if (init?.body instanceof Blob) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const attachments = [{ type: 'file', mediaRef: 'm1', ...file } as const];
    expect(await problemOf(bench.send(CHANNEL, { ...plainContent('File'), attachments }))).toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched: 'no',
    });
    expect(bench.texts(CHANNEL)).toEqual([]);
  });

  it('is refused when it edits a message of another person', async () => {
    const theirs = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'mine' });
    const error = await problemOf(bench.edit(CHANNEL, [{ remoteId: remoteMessageId(theirs) }], 'yours'));
    expect(error).toMatchObject({
      problem: { kind: 'rejected', reason: 'forbidden' },
      code: 'cant_update_message',
    });
  });
});

describe('Slack under its documented limits', () => {
  it('reports the rate limit of a busy channel, while other channels continue', async () => {
    const busy = new SlackBench({ limits: 'documented' });
    await busy.startWebhook();
    try {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => busy.send(CHANNEL, 'x')));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(5);
      expect(await problemOf(busy.send(CHANNEL, 'x'))).toMatchObject({ problem: { kind: 'rate_limited' } });
      await busy.send(OTHER, 'y');
      expect(busy.texts(OTHER)).toEqual(['y']);
    } finally {
      await busy.stop();
    }
  });
});
