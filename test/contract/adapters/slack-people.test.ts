import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signBody } from '../../../adapters/slack/ingress/signature.js';
import { plainContent, remoteChatId, remoteMessageId } from '../../../src/contract/index.js';
import { png } from '../../support/files.js';
import { SlackBench } from '../../support/slack-bench.js';

const CHANNEL = 'C0SIMGENERAL';

let bench: SlackBench;

const ways = {
  'by HTTP': () => bench.startWebhook(),
  'by Socket Mode': () => bench.startGateway(),
};

beforeEach(() => {
  bench = new SlackBench();
});
afterEach(() => bench.stop());

describe.each(Object.entries(ways))('actions of people in Slack, %s', (_, start) => {
  beforeEach(start);

  it('are received: messages, changes, reactions, commands, button presses, joins and leaves', async () => {
    const { people } = bench.simulator;
    const id = people.post({ chatId: CHANNEL, sender: 'Ann', text: '*not bold* https://a.example' });
    people.edit(CHANNEL, id, 'better');
    people.unfurl(CHANNEL, id);
    people.react(CHANNEL, id, 'Bob', '🎉');
    people.react(CHANNEL, id, 'Bob', '🎉', 'removed');
    people.command(CHANNEL, 'Ann', '/order', '2 teas');
    people.press(CHANNEL, id, 'Bob', 'Yes');
    people.join(CHANNEL, 'Cid');
    people.leave(CHANNEL, 'Cid');
    people.rename(CHANNEL, 'lobby');
    people.remove(CHANNEL, id);
    people.archive(CHANNEL);
    await bench.host.until(() => bench.events().length === 12);
    const events = bench.events();
    expect(events.map((event) => [event.type, 'change' in event ? event.change : undefined])).toEqual(
      expect.arrayContaining([
        ['message_edited', undefined],
        ['unsupported', undefined],
        ['reaction', 'added'],
        ['reaction', 'removed'],
        ['membership', 'joined'],
        ['chat_renamed', undefined],
        ['message_deleted', undefined],
      ]),
    );
    const said = events.filter((event) => event.type === 'message').map(({ content }) => content);
    expect(said.map(({ text }) => text)).toEqual(['*not bold* https://a.example', '/order 2 teas', 'Yes']);
    expect(said[0]?.spans).toEqual([{ mark: 'link', start: 11, end: 28, value: 'https://a.example' }]);
    expect(events.filter((event) => event.type === 'membership' && event.self)).toHaveLength(1);
    expect(JSON.stringify(bench.host.envelopes)).not.toMatch(/hooks\.slack\.com|trigger_id/);
  });

  it('can be answered even without a message to reply to', async () => {
    bench.simulator.people.command(CHANNEL, 'Ann', '/order');
    const command = await bench.event('message');
    const [receipt] = await bench.send(CHANNEL, 'Coming', { replyToId: command.messageId });
    expect(receipt?.degradations).toEqual(['reply']);
    expect(bench.texts(CHANNEL)).toEqual(['Coming']);
  });

  it('are distinguished from the app’s own messages and reactions, also under other names', async () => {
    const [sent] = await bench.send(CHANNEL, 'Hi', { persona: { displayName: 'Ann' } });
    await bench.run({
      type: 'react',
      to: { chatId: remoteChatId(CHANNEL) },
      messageId: sent?.remoteId ?? remoteMessageId(''),
      emoji: '👍',
      change: 'added',
    });
    await bench.event('reaction');
    expect(bench.events()).toMatchObject([
      { type: 'message', echo: true },
      { type: 'reaction', echo: true },
    ]);
  });
});

describe('Slack files in one message with their text', () => {
  beforeEach(() => bench.startWebhook());

  function file(name: string, width: number) {
    const bytes = png(width, 1);
    const blob = new Blob([new Uint8Array(bytes)]);
    bench.host.media.set(name, { name, mimeType: 'image/png', sizeBytes: bytes.length, blob });
    const url = `https://bridge.example/${name}`;
    return { type: 'image', mediaRef: name, url, mimeType: 'image/png', sizeBytes: bytes.length } as const;
  }

  it('are identified by the message that contains them', async () => {
    const attachments = [file('a.png', 1), file('b.png', 2)];
    const [receipt] = await bench.send(CHANNEL, { ...plainContent('Look *here*'), attachments });
    const [message] = bench.simulator.messages(CHANNEL);
    expect(message).toMatchObject({ id: receipt?.remoteId, text: 'Look *here*' });
    expect(message?.files?.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
    const reply = bench.simulator.people.post({
      chatId: CHANNEL,
      sender: 'Ann',
      text: 'Nice',
      replyToId: message?.id ?? '',
    });
    expect(await bench.event('message', ({ messageId }) => messageId === reply)).toMatchObject({
      replyToId: receipt?.remoteId,
    });
  });

  it('are found again when the response was lost', async () => {
    const to = { chatId: remoteChatId(CHANNEL) };
    const content = { ...plainContent('Look'), attachments: [file('a.png', 1), file('b.png', 2)] };
    const [step] = bench.adapter.plan({ type: 'send', to, content }, bench.adapter.capabilities()).steps;
    if (step === undefined) throw new Error('no step');
    const startedAt = new Date().toISOString();
    const query = { to, key: bench.nextKey(), step, startedAt };
    bench.simulator.faults.set({ fault: { kind: 'drop_before' }, call: 'files.completeUploadExternal' });
    const signal = new AbortController().signal;
    await expect(bench.adapter.execute(step, { ...query, signal })).rejects.toMatchObject({
      dispatched: 'unknown',
    });
    // Slack may still share the file.
    const later = { outcome: 'undecidable', askAgainAfterMs: expect.any(Number) };
    expect(await bench.adapter.lookup?.(query)).toEqual(later);
    const before = new Date(Date.now() - 60_000).toISOString();
    const retried = { ...query, startedAt: before, lastStartedAt: startedAt };
    expect(await bench.adapter.lookup?.(retried)).toEqual(later);
    expect(await bench.adapter.lookup?.({ ...query, startedAt: before })).toEqual({ outcome: 'absent' });
    bench.simulator.faults.set({ fault: { kind: 'drop_after' }, call: 'files.completeUploadExternal' });
    await expect(bench.adapter.execute(step, { ...query, signal })).rejects.toMatchObject({
      dispatched: 'unknown',
    });
    const [message] = bench.simulator.messages(CHANNEL);
    expect(await bench.adapter.lookup?.(query)).toEqual({ outcome: 'found', remoteId: message?.id });
    const knownIds = [remoteMessageId(message?.id ?? '')];
    expect(await bench.adapter.lookup?.({ ...query, startedAt: before, knownIds })).toEqual({
      outcome: 'absent',
    });
  });

  it('are identified by the first file while Slack limits lookups of the message', async () => {
    bench.simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 60_000 }, call: 'files.info' });
    for (const name of ['a.png', 'b.png']) {
      const attachments = [file(name, 1)];
      const [receipt] = await bench.send(CHANNEL, { ...plainContent('Look'), attachments });
      expect(receipt?.remoteId).toMatch(/^F/);
    }
    expect(bench.simulator.ledger.entries('files.info')).toHaveLength(1);
  });

  it.each(['files.getUploadURLExternal', 'files.completeUploadExternal'])(
    'are delayed in every chat when Slack limits %s, while texts are still sent',
    async (call) => {
      bench.simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 60_000 }, call });
      const content = { ...plainContent('Look'), attachments: [file('a.png', 1)] };
      for (const chat of [CHANNEL, 'C0SIMSUPPORT'])
        await expect(bench.send(chat, content)).rejects.toMatchObject({
          problem: { kind: 'rate_limited', scope: 'chat' },
          dispatched: 'no',
        });
      expect(bench.simulator.ledger.counts()[call]).toBe(1);
      await bench.send(CHANNEL, 'words alone');
      expect(bench.texts(CHANNEL)).toEqual(['words alone']);
    },
  );

  it('become links when Slack removes the permission to upload', async () => {
    const operation = {
      type: 'send',
      to: { chatId: remoteChatId(CHANNEL) },
      content: { ...plainContent('Look'), attachments: [file('a.png', 1)] },
    } as const;
    const [step] = bench.adapter.plan(operation, bench.adapter.capabilities()).steps;
    bench.simulator.scopes.delete('files:write');
    const context = { to: operation.to, key: bench.nextKey(), signal: new AbortController().signal };
    await expect(step && bench.adapter.execute(step, context)).rejects.toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched: 'no',
    });
    await bench.run(operation);
    expect(bench.texts(CHANNEL)).toEqual(['Look\nhttps://bridge.example/a.png']);
  });

  it('are downloaded without sending the token to another server', async () => {
    const post = { chatId: CHANNEL, sender: 'Ann', text: '' };
    bench.simulator.people.post({
      ...post,
      files: [{ name: 'x.png', mimeType: 'image/png', bytes: png(1, 1) }],
    });
    const [attachment] = (await bench.event('message')).content.attachments;
    const asked: [string, string | null][] = [];
    const { fetch: real } = bench.host;
    bench.host.fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      asked.push([url, new Headers(init?.headers).get('authorization')]);
      if (url.startsWith('https://thief.example')) return new Response('bytes');
      if (!url.includes('/files.info')) return real.call(bench.host, input, init);
      const file = { id: 'F1', url_private: 'https://thief.example/x', mimetype: 'image/png' };
      return Response.json({ ok: true, file });
    };
    await bench.adapter.openMedia?.(attachment?.remoteRef ?? '', new AbortController().signal);
    expect(asked.find(([url]) => url.startsWith('https://thief.example'))?.[1]).toBeNull();
  });
});

describe('long edits in Slack', () => {
  beforeEach(() => bench.startWebhook());

  it('show the whole text, even if its escaped form is longer than Slack accepts', async () => {
    const receipts = await bench.send(CHANNEL, 'short');
    await bench.edit(CHANNEL, receipts, '<&>'.repeat(1_300));
    expect(bench.texts(CHANNEL)).toEqual(['<&>'.repeat(1_300)]);
  });
});

describe('Slack signatures', () => {
  beforeEach(() => bench.startWebhook());

  it.each([
    ['older than five minutes', -301],
    ['from more than five minutes ahead', 301],
  ])('are refused when %s, and nothing is stored', async (_, seconds) => {
    const time = String(Math.floor(Date.now() / 1000) + seconds);
    const body = '{"type":"event_callback"}';
    const headers = {
      'x-slack-request-timestamp': time,
      'x-slack-signature': signBody('simulated-signing-secret', time, Buffer.from(body)),
    };
    expect(await bench.simulator.webhook.post(body, headers)).toBe(401);
    expect(bench.host.received).toBe(0);
  });
});
