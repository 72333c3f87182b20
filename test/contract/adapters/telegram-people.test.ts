import { describe, expect, it } from 'vitest';
import { type Operation, plainContent, type RemotePart, remoteChatId } from '../../../src/contract/index.js';
import { png } from '../../support/files.js';
import { group, perform, refusal, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();
const to = { chatId: remoteChatId(group) };

/** Stored copies of pictures. Telegram can't read the first `broken` of them. */
function pictures(count: number, broken = 0) {
  return Array.from({ length: count }, (_, index) => {
    const bytes = index < broken ? Buffer.from('no picture') : png(index + 1, 1);
    const [mediaRef, mimeType] = [`m${index}`, 'image/png'];
    const blob = new Blob([new Uint8Array(bytes)]);
    telegram().host.media.set(mediaRef, { name: `${index}.png`, mimeType, sizeBytes: bytes.length, blob });
    const url = `https://bridge.example/${mediaRef}`;
    return { type: 'image' as const, mediaRef, mimeType, url, sizeBytes: bytes.length };
  });
}

const album = (text: string, count: number, broken?: number): Operation => ({
  type: 'send',
  to,
  content: { ...plainContent(text), attachments: pictures(count, broken) },
});

describe('a Telegram album', () => {
  it('is one request, and each of its files can be found by its id', async () => {
    const adapter = await telegram().connect();
    const [receipt] = await perform(adapter, album('Trip', 3));
    expect(telegram().simulator.ledger.counts()).toEqual({ sendMediaGroup: 1 });
    const ids = [receipt?.remoteId, ...(receipt?.otherIds ?? [])];
    expect(
      telegram()
        .visible(group)
        .map(({ id }) => id),
    ).toEqual(ids);
    const parts = ids.map((id, index): RemotePart => ({ index, kind: 'media', id: id as never }));
    const content = { ...plainContent('Journey'), attachments: pictures(3) };
    await perform(adapter, { type: 'edit', to, content, parts });
    expect(
      telegram()
        .visible(group)
        .map(({ text }) => text),
    ).toEqual(['Journey', '', '']);
    await perform(adapter, { type: 'delete', to, parts });
    expect(telegram().visible(group)).toEqual([]);
  });

  it('with a refused file is sent as documents, with a degradation', async () => {
    const adapter = await telegram().connect();
    const [receipt] = await perform(adapter, album('Trip', 3, 1));
    expect(receipt?.degradations).toEqual(['media.image']);
    expect(
      telegram()
        .visible(group)
        .map(({ text, files }) => [text, files?.length]),
    ).toEqual([
      ['Trip', 1],
      ['', 1],
      ['', 1],
    ]);
    expect(
      telegram()
        .simulator.ledger.entries('sendMediaGroup')
        .map(({ committed }) => committed),
    ).toEqual([false, true]);
  });

  it('with a refused picture and a refused video reports both as degraded to documents', async () => {
    const adapter = await telegram().connect();
    const [film, picture] = pictures(2, 1);
    const attachments = [{ ...film!, type: 'video' as const, mimeType: 'video/mp4' }, picture!];
    const content = { ...plainContent('Trip'), attachments: [...pictures(1, 1), ...attachments] };
    const [receipt] = await perform(adapter, { type: 'send', to, content });
    expect(receipt?.degradations).toEqual(['media.image', 'media.video']);
  });

  it('whose response is lost may have been written, with all its files', async () => {
    const adapter = await telegram().connect();
    telegram().simulator.faults.set({ fault: { kind: 'drop_after' }, call: 'sendMediaGroup' });
    expect(await refusal(perform(adapter, album('Trip', 2)))).toMatchObject({ dispatched: 'unknown' });
    expect(telegram().visible(group)).toHaveLength(2);
  });
});

describe('actions of people on Telegram other than messages', () => {
  it('a button press is received and answered', async () => {
    const adapter = await telegram().connect();
    await adapter.identify();
    await adapter.start();
    const [receipt] = await perform(adapter, { type: 'send', to, content: plainContent('Choose') });
    telegram().simulator.press(group, receipt?.remoteId ?? '', 'Ada', 'Yes!', 'y');
    await telegram().host.until(
      () => telegram().simulator.ledger.entries('answerCallbackQuery').at(-1)?.committed === true,
    );
    expect(telegram().events(adapter)).toMatchObject([
      { type: 'message', content: { text: 'Yes!' }, replyToId: receipt?.remoteId },
    ]);
  });

  it('a reaction is received when it is added, changed and removed', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    const [receipt] = await perform(adapter, { type: 'send', to, content: plainContent('News') });
    const id = receipt?.remoteId ?? '';
    telegram().simulator.setReaction(group, id, 'Ada', '👍');
    telegram().simulator.setReaction(group, id, 'Ada', '🎉', '👍');
    telegram().simulator.setReaction(group, id, 'Ada', undefined, '🎉');
    await telegram().host.until(() => telegram().host.envelopes.length === 3);
    const told = telegram().events(adapter);
    expect(told.map((event) => event.type === 'reaction' && `${event.emoji} ${event.change}`)).toEqual([
      '👍 added',
      '👍 removed',
      '🎉 added',
      '🎉 removed',
    ]);
  });

  it('several pictures are received as they are delivered, the first with the text', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    const files = [1, 2].map((size) => ({ name: 'a.png', mimeType: 'image/png', bytes: png(size, 1) }));
    await telegram().simulator.post({ chatId: group, sender: 'Ada', text: 'Trip', files });
    await telegram().host.until(() => telegram().host.envelopes.length === 2);
    expect(telegram().events(adapter)).toMatchObject([
      { content: { text: 'Trip', attachments: [{ type: 'image' }] } },
      { content: { text: '', attachments: [{ type: 'image' }] } },
    ]);
  });
});
