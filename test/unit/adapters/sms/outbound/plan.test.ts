import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, it } from 'vitest';
import { smsCapabilities } from '../../../../../adapters/sms/capabilities.js';
import { planSms } from '../../../../../adapters/sms/outbound/plan.js';
import { segmentation } from '../../../../../adapters/sms/segments.js';
import {
  type Content,
  gsm7Length,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
  textLength,
} from '../../../../../src/contract/index.js';

const to = { chatId: remoteChatId('+12025550143') };
const send = (content: Content) => planSms({ type: 'send', to, content }, smsCapabilities);
const bodies = (content: Content) => send(content).steps.map(({ payload }) => String(payload.body));
const content = (text: string, rest: Partial<Content>): Content => ({ ...plainContent(text), ...rest });

describe('planning a text message', () => {
  it('keeps the text unchanged, including quotes and accents, and counts its segments', () => {
    expect(send(plainContent('“Hi” – José')).steps).toEqual([
      {
        action: 'create',
        index: 0,
        kind: 'text',
        payload: { body: '“Hi” – José', encoding: 'UCS-2', segments: 1 },
      },
    ]);
  });

  it('drops formatting and names each mark once', () => {
    const spans = [
      { mark: 'bold' as const, start: 0, end: 1 },
      { mark: 'bold' as const, start: 2, end: 3 },
      { mark: 'mention' as const, start: 4, end: 5, value: 'U1' },
    ];
    const plan = send(content('a b @x', { spans }));
    expect(plan.steps[0]?.payload.body).toBe('a b @x');
    expect(plan.degradations).toEqual(['format.bold', 'format.mention']);
  });

  it('writes the address of a link after its text, unless the text contains it', () => {
    const text = 'Read this or https://b.example now';
    const spans = [
      { mark: 'link' as const, start: 5, end: 9, value: 'https://a.example' },
      { mark: 'link' as const, start: 13, end: 30, value: 'https://b.example' },
    ];
    const plan = send(content(text, { spans }));
    expect(plan.steps[0]?.payload.body).toBe('Read this (https://a.example) or https://b.example now');
    expect(plan.degradations).toEqual([]);
  });

  it('puts every attachment on its own line and names the degradations', () => {
    const attachments = [
      { type: 'image' as const, url: 'https://files.example/1?sig=x' },
      { type: 'location' as const, name: 'Office', latitude: 51.5, longitude: -0.12 },
      { type: 'contact' as const, metadata: { name: 'Ada', phone: '+12025550143' } },
    ];
    const plan = send(content('Look', { attachments }));
    expect(plan.steps[0]?.payload.body).toBe(
      'Look\nhttps://files.example/1?sig=x\nOffice https://maps.google.com/?q=51.5,-0.12\nAda +12025550143',
    );
    expect(plan.degradations).toEqual(['media.image', 'media.location', 'media.contact']);
    expect(bodies(content('', { attachments: attachments.slice(0, 1) }))).toEqual([
      'https://files.example/1?sig=x',
    ]);
  });

  it('names missing files', () => {
    const attachments = [{ type: 'file' as const, name: 'plan.pdf' }, { type: 'image' as const }];
    expect(bodies(content('', { attachments }))).toEqual(['plan.pdf\n[image]']);
  });

  it('names a lost reply and a lost thread', () => {
    const operation = {
      type: 'send' as const,
      content: plainContent('Hi'),
      replyToId: remoteMessageId('SM1'),
    };
    const plan = planSms({ ...operation, to: { ...to, threadId: remoteThreadId('t') } }, smsCapabilities);
    expect(plan.degradations).toEqual(['reply', 'thread']);
  });

  it('never splits an address that fits into one part', () => {
    const url = `https://files.example/${'x'.repeat(300)}`;
    for (const padding of [1_200, 1_400, 1_599, 1_600, 3_000]) {
      const text = 'word '.repeat(padding / 5);
      const attachments = [{ type: 'file' as const, url }];
      expect(bodies(content(text, { attachments })).filter((body) => body.includes(url))).toHaveLength(1);
    }
  });

  it('splits any text without loss into parts that Twilio accepts', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        '€',
        '👩‍👩‍👧‍👦',
        'e\u0301',
        '\r\n',
        ' ',
        '\n\n',
        '[]{}',
        'а'.repeat(500),
        'x'.repeat(900),
        '€'.repeat(700),
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const text = words.join('');
        const parts = bodies(plainContent(text));
        expect(parts.join('')).toBe(text);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(1600);
          expect(textLength(part, 'gsm7')).toBeLessThanOrEqual(1600);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('planning operations that text messages lack', () => {
  const parts = [{ index: 0, kind: 'text' as const, id: remoteMessageId('SM1') }];

  it('needs no write and reports it', () => {
    const edit = { type: 'edit' as const, to, content: plainContent('new'), parts };
    const react = {
      type: 'react' as const,
      to,
      messageId: remoteMessageId('SM1'),
      emoji: '👍',
      change: 'added' as const,
    };
    expect(planSms(edit, smsCapabilities)).toEqual({ steps: [], degradations: ['edit'] });
    expect(planSms({ type: 'delete', to, parts }, smsCapabilities)).toEqual({
      steps: [],
      degradations: ['delete'],
    });
    expect(planSms(react, smsCapabilities)).toEqual({ steps: [], degradations: ['react'] });
    expect(planSms({ type: 'typing', to, state: 'started' }, smsCapabilities).steps).toEqual([]);
  });
});

describe('counting segments', () => {
  it.each([
    ['a'.repeat(160), 'GSM-7', 1],
    ['a'.repeat(161), 'GSM-7', 2],
    ['a'.repeat(306), 'GSM-7', 2],
    ['€'.repeat(80), 'GSM-7', 1],
    [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3],
    ['а'.repeat(70), 'UCS-2', 1],
    ['а'.repeat(71), 'UCS-2', 2],
    [`${'а'.repeat(66)}😀${'а'.repeat(66)}`, 'UCS-2', 3],
  ])('of %j returns the encoding %s and the number %d', (text, encoding, segments) => {
    expect(segmentation(text)).toEqual({ encoding, segments });
  });

  it("agrees with Twilio's own calculator", () => {
    const character = fc.constantFrom('a', ' ', '\n', 'ñ', '€', '[', 'Δ', 'ж', '😀', '“');
    const text = fc.oneof(
      fc.array(character, { minLength: 1, maxLength: 400 }),
      fc.array(fc.constantFrom('a', 'é', '€', '^'), { minLength: 140, maxLength: 330 }),
    );
    fc.assert(
      fc.property(text, (characters) => {
        const joined = characters.join('');
        const reference = new SegmentedMessage(joined);
        expect(segmentation(joined)).toEqual({
          encoding: reference.encodingName,
          segments: reference.segmentsCount,
        });
      }),
      { numRuns: 60 },
    );
  });

  it("uses the same GSM-7 alphabet as Twilio's own calculator", () => {
    for (let code = 0; code < 0x10000; code += 1) {
      const character = String.fromCharCode(code);
      const surrogate = code >= 0xd800 && code <= 0xdfff;
      const reference = new SegmentedMessage(surrogate ? 'ж' : character);
      const septets = reference.encodingName === 'GSM-7' ? reference.numberOfCharacters : undefined;
      if (gsm7Length(character) !== septets) expect.fail(`U+${code.toString(16)} takes ${septets} septets`);
    }
  });
});

describe('files in a text message', () => {
  const file = (more: object) => ({
    type: 'image' as const,
    mediaRef: 'm1',
    url: 'https://bridge.example/media/1',
    mimeType: 'image/png',
    sizeBytes: 1_000,
    ...more,
  });
  const payloads = (text: string, attachments: readonly object[]) =>
    send(content(text, { attachments: attachments as never })).steps.map(({ kind, payload }) => [
      kind,
      payload.body,
      payload.mediaUrl,
    ]);

  it('are fetched by Twilio if they are reachable and small enough, otherwise sent as a link', () => {
    expect(payloads('Look', [file({})])).toEqual([['text', 'Look', ['https://bridge.example/media/1']]]);
    expect(payloads('', [file({})])).toEqual([['media', '', ['https://bridge.example/media/1']]]);
    const told = [{ url: 'http://localhost/media/1' }, { sizeBytes: 6_000_000 }, { mimeType: 'image/tiff' }];
    for (const more of told) {
      const url = 'url' in more ? more.url : 'https://bridge.example/media/1';
      expect(payloads('Look', [file(more)])).toEqual([['text', `Look\n${url}`, undefined]]);
    }
  });

  it.each([
    ['video', 'video/mp4', 500 * 1024, true],
    ['video', 'video/mp4', 500 * 1024 + 1, false],
    ['video', 'video/x-msvideo', 1, false],
    ['audio', 'audio/mpeg', 1, true],
    ['audio', 'audio/flac', 1, false],
    ['file', 'application/pdf', 1, true],
    ['file', 'application/zip', 1, false],
    ['contact', 'text/vcard', 1, false],
  ])('of type %s, %s and %i bytes are fetched: %j', (type, mimeType, sizeBytes, fetched) => {
    const { degradations } = send(
      content('Look', { attachments: [file({ type, mimeType, sizeBytes })] as never }),
    );
    expect(degradations).toEqual(fetched ? [] : [`media.${type}`]);
  });

  it('are at most ten and five megabytes in total, and the rest become links', () => {
    const url = 'https://bridge.example/media/1';
    const many = Array.from({ length: 11 }, (_, index) => file({ mediaRef: `m${index}` }));
    expect(payloads('', many)).toEqual([['text', url, Array.from({ length: 10 }, () => url)]]);
    const large = [1, 2, 3].map((index) => file({ mediaRef: `m${index}`, sizeBytes: 2_500_000 }));
    expect(payloads('', large)).toEqual([['text', url, [url, url]]]);
  });
});
