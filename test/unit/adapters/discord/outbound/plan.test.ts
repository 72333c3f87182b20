import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discordCapabilities } from '../../../../../adapters/discord/capabilities.js';
import { parseMarkdown } from '../../../../../adapters/discord/inbound/markdown-parser.js';
import { titleOf } from '../../../../../adapters/discord/outbound/forum-posts.js';
import { webhookPersona } from '../../../../../adapters/discord/outbound/persona.js';
import { plan } from '../../../../../adapters/discord/outbound/plan.js';
import {
  type Content,
  type ContentAttachment,
  type Mark,
  type Plan,
  plainContent,
  remoteChatId,
  remoteMessageId,
} from '../../../../../src/contract/index.js';

const to = { chatId: remoteChatId('10') };
const send = (content: Content) => plan({ type: 'send', to, content }, discordCapabilities);
const contents = ({ steps }: Plan) => steps.map(({ payload }) => String(payload.content));
const shown = (sent: Plan) =>
  contents(sent)
    .map((content) => parseMarkdown(content, new Map()).text.replace(/\u200b$/, ''))
    .join('');
const parts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    kind: 'text' as const,
    id: remoteMessageId(`${100 + index}`),
  }));

describe('planning a send to Discord', () => {
  it('is one create that does not ping anyone', () => {
    expect(send(plainContent('hi'))).toEqual({
      steps: [
        {
          action: 'create',
          index: 0,
          kind: 'text',
          payload: { content: 'hi', allowed_mentions: { parse: [], replied_user: false } },
        },
      ],
      degradations: [],
    });
  });

  it('carries the reply in its first part only', () => {
    const operation = { type: 'send' as const, to, content: plainContent('word '.repeat(500)) };
    const { steps } = plan({ ...operation, replyToId: remoteMessageId('55') }, discordCapabilities);
    expect(steps.map(({ payload }) => payload.message_reference)).toEqual([
      { message_id: '55', fail_if_not_exists: false },
      undefined,
    ]);
  });

  it('loses no text and exceeds no limit for any text', () => {
    const unit = fc.constantFrom('grapheme', 'binary', 'grapheme-ascii') as fc.Arbitrary<'grapheme'>;
    const text = unit.chain((kind) => fc.string({ unit: kind, minLength: 1, maxLength: 5_000, size: 'max' }));
    fc.assert(
      fc.property(text, (value) => {
        const sent = send(plainContent(value));
        expect(shown(sent)).toBe(value);
        for (const content of contents(sent)) expect(content.length).toBeLessThanOrEqual(2000);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps parts within the limit when every character is escaped or marked', () => {
    const text = '*'.repeat(6_000);
    const content = { text, spans: [{ mark: 'bold' as Mark, start: 0, end: 6_000 }], attachments: [] };
    for (const sent of [send(plainContent(text)), send(content)])
      for (const part of contents(sent)) expect(part.length).toBeLessThanOrEqual(2000);
    expect(shown(send(plainContent(text)))).toBe(text);
  });

  it('reopens a mark in every part that it spans', () => {
    const text = 'word '.repeat(600);
    const sent = send({ text, spans: [{ mark: 'bold', start: 0, end: text.length }], attachments: [] });
    for (const part of contents(sent)) expect(part.trim()).toMatch(/^\*\*.*\*\*$/);
  });

  it('splits a grapheme that is longer than a message, and makes blank parts visible', () => {
    const zalgo = `a${'\u0301'.repeat(3_000)}`;
    expect(shown(send(plainContent(zalgo)))).toBe(zalgo);
    for (const part of contents(send(plainContent(`a${' '.repeat(4_500)}b`))))
      expect(part.replaceAll('\u200b', 'x').trim()).not.toBe('');
  });

  it('is refused as too long if it needs more than ten messages', () => {
    expect(() => send(plainContent('a'.repeat(20_001)))).toThrow(
      expect.objectContaining({ problem: { kind: 'rejected', reason: 'too_long' }, dispatched: 'no' }),
    );
  });

  it('puts links of files on separate lines and reports it', () => {
    const attachments: ContentAttachment[] = [
      { type: 'image', url: 'https://bridge.example/m/1_a' },
      { type: 'location', latitude: 52.5, longitude: 13.4 },
      { type: 'contact', metadata: { name: 'Ada', phone: '+49' } },
    ];
    const sent = send({ text: 'look', spans: [], attachments });
    expect(contents(sent)).toEqual([
      'look\nhttps://bridge.example/m/1_a\nhttps://www.openstreetmap.org/?mlat=52.5&mlon=13.4\nAda +49',
    ]);
    expect(sent.degradations).toEqual(['media.image', 'media.location', 'media.contact']);
    expect(contents(send({ text: '', spans: [], attachments: attachments.slice(0, 1) }))).toEqual([
      'https://bridge.example/m/1_a',
    ]);
  });

  it('reports a lost address if a link does not lead to a web page', () => {
    const linked = (value: string) =>
      send({ text: 'write', spans: [{ mark: 'link', start: 0, end: 5, value }], attachments: [] })
        .degradations;
    expect([linked('mailto:a@b.c'), linked('https://a.example'), linked('write')]).toEqual([
      ['format.link'],
      [],
      [],
    ]);
  });

  it('names locations, contacts and missing files, each once', () => {
    const attachments: ContentAttachment[] = [
      { type: 'location', latitude: 1, longitude: 2, name: 'Harbour' },
      { type: 'contact', name: 'Bob B', metadata: { name: 'Bob B', phone: '+49 1' } },
      { type: 'contact', name: 'Carol' },
      { type: 'file', name: 'plan.pdf' },
      { type: 'image' },
    ];
    expect(contents(send({ text: '', spans: [], attachments }))).toEqual([
      'Harbour https://www.openstreetmap.org/?mlat=1&mlon=2\nBob B +49 1\nCarol\nplan.pdf\n\\[image\\]',
    ]);
  });

  it("uses Discord's headings and keeps list bullets as characters", () => {
    const spans = [
      { mark: 'heading' as Mark, start: 0, end: 4, value: '2' },
      { mark: 'list' as Mark, start: 5, end: 10 },
    ];
    const sent = send({ text: 'News\n• one', spans, attachments: [] });
    expect([contents(sent), sent.degradations]).toEqual([['## News\n• one'], []]);
  });

  it('with a persona contains the name for a webhook, and also as text in case there is no webhook', () => {
    const persona = { displayName: 'Ada: @Discord', avatarUrl: 'https://bridge.example/a.png' };
    const content = plainContent('word '.repeat(500));
    const { steps } = plan({ type: 'send', to, content, persona }, discordCapabilities);
    expect(steps.map(({ payload }) => payload.persona)).toEqual(
      steps.map(() => ({ name: 'Ada： ＠Dis-cord', avatar: 'https://bridge.example/a.png' })),
    );
    const [first, second] = steps.map(({ payload }) => payload);
    expect(first?.attributed).toBe(`Ada: \\@Discord: ${String(first?.content)}`);
    expect(String(first?.attributed).length).toBeLessThanOrEqual(2000);
    expect(second).not.toHaveProperty('attributed');
    expect(steps.map(({ payload }) => payload.content).join('')).toBe('word '.repeat(500));
  });
});

it('a long name or title is not cut inside a character', () => {
  const long = `x${'😀'.repeat(60)}`;
  expect(webhookPersona({ displayName: long })).toEqual({ name: `x${'😀'.repeat(39)}` });
  expect(titleOf(`${long} y`)).toBe(`x${'😀'.repeat(49)}`);
  expect(titleOf('x'.repeat(120))).toBe('x'.repeat(100));
});

describe('planning an edit on Discord', () => {
  const edit = (text: string, count: number) =>
    plan({ type: 'edit', to, content: plainContent(text), parts: parts(count) }, discordCapabilities).steps;

  it('adds parts for a longer text', () => {
    expect(
      edit('word '.repeat(1_000), 1).map(({ action, index, targetId }) => [action, index, targetId]),
    ).toEqual([
      ['update', 0, '100'],
      ['create', 1, undefined],
      ['create', 2, undefined],
    ]);
  });

  it('removes parts for a shorter text', () => {
    expect(edit('short', 3).map(({ action, index, targetId }) => [action, index, targetId])).toEqual([
      ['update', 0, '100'],
      ['remove', 1, '101'],
      ['remove', 2, '102'],
    ]);
  });
});

describe('planning other Discord operations', () => {
  it('removes every part for a deletion', () => {
    const { steps } = plan({ type: 'delete', to, parts: parts(2) }, discordCapabilities);
    expect(steps.map(({ action, targetId }) => [action, targetId])).toEqual([
      ['remove', '100'],
      ['remove', '101'],
    ]);
  });

  it('adds or removes a reaction with one signal', () => {
    const react = { type: 'react', to, messageId: remoteMessageId('1'), emoji: '👍' } as const;
    const stepFor = (change: 'added' | 'removed') => plan({ ...react, change }, discordCapabilities).steps;
    expect(stepFor('added')).toEqual([
      {
        action: 'signal',
        index: 0,
        kind: 'text',
        targetId: '1',
        payload: { emoji: '👍', change: 'added' },
      },
    ]);
    expect(stepFor('removed')[0]?.payload).toEqual({ emoji: '👍', change: 'removed' });
  });

  it('signals the start of typing, and plans nothing for its end', () => {
    const steps = (state: 'started' | 'stopped') =>
      plan({ type: 'typing', to, state }, discordCapabilities).steps;
    expect([steps('started').length, steps('stopped').length]).toEqual([1, 0]);
  });
});
