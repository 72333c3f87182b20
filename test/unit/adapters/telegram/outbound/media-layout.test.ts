import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { telegramDefinition } from '../../../../../adapters/telegram/definition.js';
import { methodFor } from '../../../../../adapters/telegram/outbound/media-layout.js';
import { plan } from '../../../../../adapters/telegram/outbound/plan.js';
import {
  type Content,
  type ContentAttachment,
  type PartKind,
  type PartStep,
  plainContent,
  remoteChatId,
  remoteMessageId,
} from '../../../../../src/contract/index.js';

const { capabilities } = telegramDefinition;
const to = { chatId: remoteChatId('700001') };
const MB = 1024 * 1024;

const file = (
  type: ContentAttachment['type'],
  mimeType: string,
  more: Partial<ContentAttachment> = {},
): ContentAttachment => ({
  type,
  mimeType,
  mediaRef: `ref-${mimeType}`,
  url: 'https://bridge.example/f/1',
  sizeBytes: 1000,
  ...more,
});
const photo = file('image', 'image/jpeg');
const video = file('video', 'video/mp4');
const song = file('audio', 'audio/mpeg');
const paper = file('file', 'application/pdf');
const sticker = file('sticker', 'image/webp');
const place: ContentAttachment = { type: 'location', latitude: 48.2, longitude: 16.4 };
const card: ContentAttachment = { type: 'contact', metadata: { name: 'Bo Li', phone: '+431' } };

const send = (text: string, ...attachments: ContentAttachment[]) =>
  plan({ type: 'send', to, content: { ...plainContent(text), attachments } }, capabilities);
/** The parts of each write, and its text. */
const outline = (steps: readonly PartStep[]) =>
  steps.map(({ action, index, kind, others = [], payload }) => [
    action,
    [index, ...others.map((other) => other.index)],
    kind,
    payload.text,
  ]);

describe('the text of a Telegram message with files', () => {
  it('becomes the caption of the first file', () => {
    const { steps, degradations } = send('Look', photo);
    expect(degradations).toEqual([]);
    expect(steps).toMatchObject([
      { index: 0, kind: 'media', payload: { method: 'sendPhoto', text: 'Look', entities: [] } },
    ]);
  });

  it('carries its formatting into the caption', () => {
    const content: Content = {
      text: 'Look here',
      spans: [{ mark: 'bold', start: 0, end: 4 }],
      attachments: [photo],
    };
    expect(plan({ type: 'send', to, content }, capabilities).steps).toMatchObject([
      { payload: { entities: [{ type: 'bold', offset: 0, length: 4 }] } },
    ]);
  });

  it.each([
    [1024, [['create', [0], 'media', expect.any(String)]]],
    [
      1025,
      [
        ['create', [0], 'text', expect.any(String)],
        ['create', [1], 'media', undefined],
      ],
    ],
  ])('of %i characters is split as %j', (length, expected) => {
    expect(outline(send('x'.repeat(length), photo).steps)).toEqual(expected);
  });

  it.each([
    ['a sticker', sticker],
    ['a place', place],
    ['a contact card', card],
  ])('precedes %s, which has no caption', (_, attachment) => {
    expect(outline(send('Look', attachment, photo).steps)[0]).toEqual(['create', [0], 'text', 'Look']);
  });

  it('makes no caption from white space', () => {
    const { steps, degradations } = send(' \n ', photo);
    expect(outline(steps)).toEqual([['create', [0], 'media', undefined]]);
    expect(degradations).toEqual(['text.whitespace']);
  });

  it('carries the reply in the first write of any kind', () => {
    const content = { ...plainContent(''), attachments: [place, photo] };
    const { steps } = plan({ type: 'send', to, content, replyToId: remoteMessageId('12') }, capabilities);
    expect(steps.map(({ payload }) => payload.replyTo)).toEqual([12, undefined]);
  });
});

describe('Telegram albums', () => {
  it('contain neighbouring photos and videos, each as its own part', () => {
    expect(outline(send('Trip', photo, video, photo).steps)).toEqual([
      ['create', [0, 1, 2], 'media', 'Trip'],
    ]);
  });

  it('do not mix kinds that Telegram keeps apart, and preserve the order', () => {
    expect(outline(send('All', photo, photo, song, song, paper, sticker, paper, paper).steps)).toEqual([
      ['create', [0, 1], 'media', 'All'],
      ['create', [2, 3], 'media', undefined],
      ['create', [4], 'media', undefined],
      ['create', [5], 'media', undefined],
      ['create', [6, 7], 'media', undefined],
    ]);
  });

  it('contain at most ten files', () => {
    expect(outline(send('Ten', ...Array.from({ length: 10 }, () => photo)).steps)).toEqual([
      ['create', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'media', 'Ten'],
    ]);
  });
});

it('albums stay within the size limit of one request', () => {
  const large = { ...photo, sizeBytes: 9 * 1024 * 1024 };
  expect(outline(send('Six', ...Array.from({ length: 6 }, () => large)).steps)).toEqual([
    ['create', [0, 1, 2, 3, 4], 'media', 'Six'],
    ['create', [5], 'media', undefined],
  ]);
});

describe('locations and contacts on Telegram', () => {
  it('become messages of their own kind', () => {
    expect(send('', place, { ...place, name: 'Café' }, card)).toEqual({
      steps: [
        {
          action: 'create',
          index: 0,
          kind: 'location',
          payload: { latitude: 48.2, longitude: 16.4 },
        },
        {
          action: 'create',
          index: 1,
          kind: 'location',
          payload: { latitude: 48.2, longitude: 16.4, venue: { title: 'Café', address: '48.2, 16.4' } },
        },
        { action: 'create', index: 2, kind: 'contact', payload: { phone: '+431', name: 'Bo Li' } },
      ],
      degradations: [],
    });
  });

  it('include the address of a venue if it is known', () => {
    const venue = { ...place, name: 'Café', metadata: { address: 'Ring 1' } };
    expect(send('', venue).steps).toMatchObject([{ payload: { venue: { address: 'Ring 1' } } }]);
  });

  it('become text with a degradation if Telegram cannot show them', () => {
    const nameless = { type: 'contact' as const, name: 'Bo' };
    const { steps, degradations } = send('See', nameless, { type: 'sticker', altText: '👍' });
    expect(steps.map(({ payload }) => payload.text)).toEqual(['See\nBo\n👍']);
    expect(degradations).toEqual(['media.contact', 'media.sticker']);
  });
});

describe('a file sent to Telegram', () => {
  it.each([
    ['image', 'image/jpeg', 10 * MB, 'sendPhoto'],
    ['image', 'image/jpeg', 10 * MB + 1, 'sendDocument'],
    ['image', 'image/gif', 1, 'sendAnimation'],
    ['image', 'image/tiff', 1, 'sendDocument'],
    ['video', 'video/mp4', 1, 'sendVideo'],
    ['video', 'video/x-msvideo', 1, 'sendDocument'],
    ['video', 'video/quicktime', 1, 'sendDocument'],
    ['audio', 'audio/mpeg', 1, 'sendAudio'],
    ['audio', 'audio/ogg', 1, 'sendVoice'],
    ['audio', 'audio/flac', 1, 'sendDocument'],
    ['sticker', 'image/webp', 1, 'sendSticker'],
    ['sticker', 'application/x-tgsticker', 1, 'sendSticker'],
    ['sticker', 'image/png', 1, 'sendDocument'],
    ['file', 'image/jpeg', 1, 'sendDocument'],
  ] as const)('of type %s, %s and %i bytes goes by %s→%s', (type, mimeType, sizeBytes, method) => {
    expect(methodFor({ ref: 'r', type, mimeType, sizeBytes })).toBe(method);
  });

  it.each([
    ['image', 'image/jpeg', 10 * MB + 1],
    ['image', 'image/tiff', 1],
    ['video', 'video/quicktime', 1],
    ['audio', 'audio/flac', 1],
    ['sticker', 'image/png', 1],
  ] as const)('of type %s, %s and %i bytes is a document, which is reported', (type, mimeType, sizeBytes) => {
    const { steps, degradations } = send('', { ...photo, type, mimeType, sizeBytes });
    expect(steps.map(({ payload }) => payload.method)).toEqual(['sendDocument']);
    expect(degradations).toEqual([`media.${type}`]);
  });

  it('above 50 MB becomes a link in the text with a degradation', () => {
    const { steps, degradations } = send('Big', { ...video, sizeBytes: 50 * MB + 1 });
    expect(steps.map(({ payload }) => payload.text)).toEqual(['Big\nhttps://bridge.example/f/1']);
    expect(degradations).toEqual(['media.video']);
  });
});

describe('an edit of a Telegram message with files', () => {
  const edit = (text: string, attachments: ContentAttachment[], kinds: PartKind[]) =>
    plan(
      {
        type: 'edit',
        to,
        content: { ...plainContent(text), attachments },
        parts: kinds.map((kind, index) => ({ index, kind, id: remoteMessageId(String(10 + index)) })),
      },
      capabilities,
    ).steps.map(({ action, index, kind, targetId, payload }) => [
      action,
      index,
      kind,
      targetId,
      String(payload.text ?? '').length,
    ]);

  it('changes the caption of the first', () => {
    expect(edit('New', [photo, photo], ['media', 'media'])).toEqual([['update', 0, 'media', '10', 3]]);
  });

  it('removes the caption', () => {
    expect(edit('', [photo], ['media'])).toEqual([['update', 0, 'media', '10', 0]]);
  });

  it('continues in a separate message when the text outgrows the caption, and returns to the caption when it shrinks', () => {
    const text = 'x'.repeat(1500);
    expect(edit(text, [photo, photo], ['media', 'media'])).toEqual([
      ['update', 0, 'media', '10', 1024],
      ['create', 2, 'text', undefined, 476],
    ]);
    expect(edit('Short', [photo, photo], ['media', 'media', 'text'])).toEqual([
      ['update', 0, 'media', '10', 5],
      ['remove', 2, 'text', '12', 0],
    ]);
  });

  it('changes the text message above the files', () => {
    expect(edit('New', [photo], ['text', 'media'])).toEqual([['update', 0, 'text', '10', 3]]);
  });

  it('adds a text message below a file without caption', () => {
    expect(edit('New', [sticker, place], ['media', 'location'])).toEqual([
      ['create', 2, 'text', undefined, 3],
    ]);
  });

  it('that would need an eleventh part is refused', () => {
    const ten = Array.from({ length: 10 }, () => photo);
    expect(() =>
      edit(
        'x'.repeat(1025),
        ten,
        Array.from({ length: 10 }, () => 'media' as const),
      ),
    ).toThrow(expect.objectContaining({ problem: { kind: 'rejected', reason: 'too_long' } }));
  });
});

it('sends and edits lose no text and exceed no limit', () => {
  const attachment = fc.constantFrom(photo, video, song, paper, sticker, place, card, {
    ...photo,
    sizeBytes: 60 * MB,
  });
  const text = fc
    .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), { maxLength: 120 })
    .map((words) => words.join(' '));
  const tell = (steps: readonly PartStep[], whole: string) => {
    const texts = steps.map(({ kind, payload }) => ({ kind, text: String(payload.text ?? '') }));
    const joined = texts.map((one) => one.text).join('');
    expect(joined.startsWith(whole)).toBe(true);
    for (const one of texts) expect(one.text.length).toBeLessThanOrEqual(one.kind === 'media' ? 1024 : 4096);
  };
  fc.assert(
    fc.property(text, text, fc.array(attachment, { maxLength: 10 }), (first, second, attachments) => {
      fc.pre(first.trim() !== '' && second.trim() !== '');
      const sent = send(first, ...attachments);
      fc.pre(!sent.degradations.includes('text.whitespace'));
      tell(sent.steps, first);
      const parts = sent.steps.flatMap(({ index, kind, others = [] }) => [{ index, kind }, ...others]);
      expect(parts.map(({ index }) => index)).toEqual(parts.map((_, place) => place));
      expect(parts.length).toBeLessThanOrEqual(10);
      const known = parts.map((part) => ({ ...part, id: remoteMessageId(String(part.index + 1)) }));
      fc.pre(parts.length < 10);
      const content = { ...plainContent(second), attachments };
      const edited = plan({ type: 'edit', to, content, parts: known }, capabilities);
      fc.pre(!edited.degradations.includes('text.whitespace'));
      tell(
        edited.steps.filter(({ action }) => action !== 'remove'),
        second,
      );
    }),
    { numRuns: 150 },
  );
});
