import { describe, expect, it } from 'vitest';
import { CHANNEL_DIRECT, DIRECT_TOPICS, FORUM } from '../../../adapters/telegram/simulator/state.js';
import {
  type Content,
  type ContentAttachment,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { png } from '../../support/files.js';
import { execute, perform, refusal, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();
const [topic] = DIRECT_TOPICS;
const to = { chatId: remoteChatId(CHANNEL_DIRECT), threadId: remoteThreadId(topic) };

/** The topic that each request of a method named. */
const topicsOf = (call: string) =>
  telegram()
    .simulator.ledger.entries(call)
    .map(({ request }) => Number((request as Record<string, unknown>).direct_messages_topic_id));

describe('a reply in the direct messages of a Telegram channel', () => {
  const place: ContentAttachment = { type: 'location', latitude: 48.2, longitude: 16.4 };
  const venue: ContentAttachment = { ...place, name: 'Café' };
  const picture = png(4, 4);
  const stored = (name: string) => {
    telegram().host.media.set(name, { blob: new Blob([picture]), name, mimeType: 'image/png' } as never);
    return name;
  };
  const card: ContentAttachment = { type: 'contact', name: 'Bo', metadata: { phone: '+431' } };

  it('names its topic in every kind of send', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    await telegram().simulator.post({
      chatId: to.chatId,
      sender: 'Cy',
      text: 'Hi',
      threadId: topic,
    });
    await telegram().host.until(() => telegram().host.envelopes.length === 1);
    expect(telegram().events(adapter)).toMatchObject([
      { chat: { id: String(CHANNEL_DIRECT), threadId: String(topic), threadIsChat: true, kind: 'direct' } },
    ]);
    const file = (name: string): ContentAttachment => ({
      type: 'image',
      mimeType: 'image/png',
      name,
      sizeBytes: picture.length,
      mediaRef: stored(name),
    });
    const contents: Content[] = [
      plainContent('Text'),
      { ...plainContent('Caption'), attachments: [file('a.png')] },
      { ...plainContent('Album'), attachments: [file('a.png'), file('b.png')] },
      ...[place, venue, card].map((one) => ({ ...plainContent(''), attachments: [one] })),
    ];
    for (const content of contents)
      await perform(adapter, { type: 'send', to, content, replyToId: remoteMessageId('1') });
    for (const call of [
      'sendMessage',
      'sendPhoto',
      'sendMediaGroup',
      'sendLocation',
      'sendVenue',
      'sendContact',
    ])
      expect([call, topicsOf(call)]).toEqual([call, [topic]]);
    expect(telegram().simulator.ledger.entries('getChat')).toEqual([]);
  });

  it('reaches its topic from a process that has received none of its messages, after one lookup', async () => {
    const adapter = await telegram().connect();
    for (const text of ['One', 'Two'])
      await perform(adapter, { type: 'send', to, content: plainContent(text) });
    expect(telegram().visible(to.chatId)).toMatchObject([{ text: 'One' }, { text: 'Two' }]);
    expect(topicsOf('sendMessage')).toEqual([Number.NaN, topic, topic]);
    expect(telegram().simulator.ledger.entries('getChat')).toHaveLength(1);
  });

  it('shows no typing indicator, which Telegram does not support there', async () => {
    const adapter = await telegram().connect();
    await perform(adapter, { type: 'send', to, content: plainContent('One') });
    await perform(adapter, { type: 'typing', to, state: 'started' });
    expect(telegram().simulator.ledger.entries('sendChatAction')).toEqual([]);
  });

  it('is reported as unsent when the lookup of its chat is rate limited', async () => {
    const adapter = await telegram().connect();
    telegram().simulator.faults.set({ call: 'getChat', fault: { kind: 'rate_limited', retryAfterMs: 2000 } });
    const [step] = adapter.plan(
      { type: 'send', to, content: plainContent('One') },
      adapter.capabilities(),
    ).steps;
    if (step === undefined) throw new Error('There is no step.');
    const error = await refusal(execute(adapter, step, to));
    expect(error).toMatchObject({ dispatched: 'no', problem: { kind: 'rate_limited' } });
  });
});

it('a missing topic of a forum is refused after one request about its chat', async () => {
  const adapter = await telegram().connect();
  const gone = { chatId: remoteChatId(FORUM), threadId: remoteThreadId(77) };
  for (let tries = 0; tries < 2; tries += 1)
    expect(
      await refusal(perform(adapter, { type: 'send', to: gone, content: plainContent('x') })),
    ).toMatchObject({ problem: { kind: 'rejected', reason: 'recipient_gone' } });
  expect(telegram().simulator.ledger.entries('getChat')).toHaveLength(1);
});
