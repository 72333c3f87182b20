import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { telegramDefinition } from '../../../../../adapters/telegram/definition.js';
import { entitiesOf, spansOf } from '../../../../../adapters/telegram/formatting.js';
import { plan } from '../../../../../adapters/telegram/outbound/plan.js';
import { entityProblem } from '../../../../../adapters/telegram/simulator/entities.js';
import {
  type Content,
  type ContentAttachment,
  type Mark,
  type PartStep,
  PlatformError,
  plainContent,
  remoteChatId,
  remoteMessageId,
  type Span,
} from '../../../../../src/contract/index.js';

const { capabilities } = telegramDefinition;
const to = { chatId: remoteChatId('700001') };
const send = (content: Content) => plan({ type: 'send', to, content }, capabilities);
const styled = (text: string, spans: Span[]): Content => ({ text, spans, attachments: [] });
const textOf = (step: PartStep) => step.payload.text as string;
const part = (index: number, id: string) => ({ index, kind: 'text' as const, id: remoteMessageId(id) });
const long = (parts: number) => 'word '.repeat(819 * parts).trimEnd();

describe('planning a send to Telegram', () => {
  it('is one message with entities and no markup', () => {
    expect(send(styled('1 < 2 *really*', [{ mark: 'bold', start: 0, end: 5 }]))).toEqual({
      steps: [
        {
          action: 'create',
          index: 0,
          kind: 'text',
          payload: { text: '1 < 2 *really*', entities: [{ type: 'bold', offset: 0, length: 5 }] },
        },
      ],
      degradations: [],
    });
  });

  it('replies with the first part only', () => {
    const content = plainContent(long(2));
    const { steps } = plan({ type: 'send', to, content, replyToId: remoteMessageId('12') }, capabilities);
    expect(steps.map(({ payload }) => payload.replyTo)).toEqual([12, undefined]);
  });

  it.each([
    [{ threadRootId: remoteMessageId('7') }, 7],
    [{ threadRootId: remoteMessageId('7'), replyToId: remoteMessageId('12') }, 12],
  ])('reports a lost thread, with a reply in its place', (places, answered) => {
    const { steps, degradations } = plan(
      { type: 'send', to, content: plainContent('Hi'), ...places },
      capabilities,
    );
    expect([steps[0]?.payload.replyTo, degradations]).toEqual([answered, ['thread']]);
  });

  it('reports a lost reply if the id is not a Telegram id', () => {
    const content = plainContent('Hi');
    const replyToId = remoteMessageId('1700000000.000100');
    expect(plan({ type: 'send', to, content, replyToId }, capabilities).degradations).toEqual(['reply']);
  });

  it.each([
    [4096, 1],
    [4097, 2],
  ])('puts %i characters into %i messages', (length, parts) => {
    expect(send(plainContent('x'.repeat(length))).steps).toHaveLength(parts);
  });

  it('loses no text and exceeds no limit for any text', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.constant('👩‍👩‍👧‍👦'),
    );
    const text = fc
      .array(word, { minLength: 1, maxLength: 400 })
      .map((words) => words.join(' '))
      .filter((joined) => joined.trim() !== '' && joined.length < 40_000);
    fc.assert(
      fc.property(text, (value) => {
        const { steps, degradations } = send(plainContent(value));
        fc.pre(!degradations.includes('text.whitespace'));
        expect(steps.map(textOf).join('')).toBe(value);
        for (const step of steps) expect(textOf(step).length).toBeLessThanOrEqual(4096);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves out blank parts, which Telegram refuses, and reports it', () => {
    const { steps, degradations } = send(plainContent(`a${' '.repeat(9000)}b`));
    expect(steps.map((step) => textOf(step).trim())).toEqual(['a', 'b']);
    expect(degradations).toEqual(['text.whitespace']);
  });

  it('puts the link of an attachment on a line of its own and reports it', () => {
    const attachments: ContentAttachment[] = [
      { type: 'image', url: 'https://bridge.example/f/1?sig=x' },
      { type: 'file', url: 'https://bridge.example/f/2?sig=y' },
    ];
    const { steps, degradations } = send({ ...plainContent('Two files'), attachments });
    expect(steps.map(textOf)).toEqual([
      'Two files\nhttps://bridge.example/f/1?sig=x\nhttps://bridge.example/f/2?sig=y',
    ]);
    expect(degradations).toEqual(['media.image', 'media.file']);
  });

  it.each([
    ['content_rejected', ' \n '],
    ['too_long', 'x'.repeat(41_000)],
  ])('refuses as %s before any call', (reason, text) => {
    expect(() => send(plainContent(text))).toThrow(
      expect.objectContaining({ problem: { kind: 'rejected', reason }, dispatched: 'no' }),
    );
  });
});

describe('planning edits, deletions and signals for Telegram', () => {
  const edit = (text: string, parts: ReturnType<typeof part>[]) =>
    plan({ type: 'edit', to, content: plainContent(text), parts }, capabilities).steps.map(
      ({ action, index, targetId }) => ({ action, index, ...(targetId === undefined ? {} : { targetId }) }),
    );

  it('grows from one part to three', () => {
    expect(edit(long(3), [part(0, '10')])).toEqual([
      { action: 'update', index: 0, targetId: '10' },
      { action: 'create', index: 1 },
      { action: 'create', index: 2 },
    ]);
  });

  it('shrinks from three parts to one', () => {
    expect(edit('Short', [part(0, '10'), part(1, '11'), part(2, '12')])).toEqual([
      { action: 'update', index: 0, targetId: '10' },
      { action: 'remove', index: 1, targetId: '11' },
      { action: 'remove', index: 2, targetId: '12' },
    ]);
  });

  it('deletes every part', () => {
    const { steps } = plan({ type: 'delete', to, parts: [part(0, '10'), part(1, '11')] }, capabilities);
    expect(steps.map(({ action, targetId }) => [action, targetId])).toEqual([
      ['remove', '10'],
      ['remove', '11'],
    ]);
  });

  it('signals the start of typing, and plans nothing for its end', () => {
    expect(plan({ type: 'typing', to, state: 'started' }, capabilities).steps).toMatchObject([
      { action: 'signal' },
    ]);
    expect(plan({ type: 'typing', to, state: 'stopped' }, capabilities).steps).toEqual([]);
  });

  const react = (emoji: string, change: 'added' | 'removed', id = '7') =>
    plan({ type: 'react', to, messageId: remoteMessageId(id), emoji, change }, capabilities).steps;

  it("sets the bot's single reaction in Telegram's form, and removes it", () => {
    expect(react('❤️', 'added')).toEqual([
      {
        action: 'signal',
        index: 0,
        kind: 'text',
        targetId: '7',
        payload: { action: 'react', reaction: '❤' },
      },
    ]);
    expect(react('❤️', 'removed')).toMatchObject([{ payload: { reaction: null } }]);
  });

  it.each([
    ['🦖', '7'],
    ['👍', 'callback-7'],
  ])('refuses %s on message %s before any call', (emoji, id) => {
    expect(() => react(emoji, 'added', id)).toThrow(PlatformError);
  });
});

describe('Telegram formatting', () => {
  const text = 'The quick brown fox jumps over the lazy dog';

  it.each<[Mark, string, string | undefined]>([
    ['bold', 'bold', undefined],
    ['italic', 'italic', undefined],
    ['underline', 'underline', undefined],
    ['strike', 'strikethrough', undefined],
    ['spoiler', 'spoiler', undefined],
    ['code', 'code', undefined],
    ['quote', 'blockquote', undefined],
    ['code_block', 'pre', 'ts'],
    ['link', 'text_link', 'https://example.com/a?b=c'],
    ['mention', 'text_mention', '700001'],
  ])('shows %s as %s and reads it back', (mark, type, value) => {
    const span: Span = { mark, start: 4, end: 9, ...(value === undefined ? {} : { value }) };
    const { entities, lost } = entitiesOf(text, [span]);
    expect(entities).toMatchObject([{ type, offset: 4, length: 5 }]);
    expect(lost).toEqual([]);
    expect(spansOf(text, JSON.parse(JSON.stringify(entities)))).toEqual([span]);
  });

  it('shows a heading in bold and reports lists', () => {
    expect(entitiesOf(text, [{ mark: 'heading', start: 0, end: 3, value: '1' }])).toEqual({
      entities: [{ type: 'bold', offset: 0, length: 3 }],
      lost: [],
    });
    expect(entitiesOf(text, [{ mark: 'list', start: 0, end: 3 }]).lost).toEqual(['list']);
  });

  it('cuts a style that code within a quote interrupts at the border of the quote', () => {
    const { entities, lost } = entitiesOf('a said x y', [
      { mark: 'bold', start: 0, end: 10 },
      { mark: 'quote', start: 2, end: 10 },
      { mark: 'code', start: 7, end: 8 },
    ]);
    expect(entities).toEqual([
      { type: 'bold', offset: 0, length: 2 },
      { type: 'blockquote', offset: 2, length: 8 },
      { type: 'bold', offset: 2, length: 5 },
      { type: 'code', offset: 7, length: 1 },
      { type: 'bold', offset: 8, length: 2 },
    ]);
    expect(lost).toEqual([]);
  });

  it('interrupts styles for code, which may contain no other entity', () => {
    const { entities } = entitiesOf(text, [
      { mark: 'bold', start: 0, end: 20 },
      { mark: 'code', start: 4, end: 9 },
    ]);
    expect(entities).toEqual([
      { type: 'bold', offset: 0, length: 4 },
      { type: 'code', offset: 4, length: 5 },
      { type: 'bold', offset: 9, length: 11 },
    ]);
  });

  it.each(['tg://user?id=700001', 'javascript:alert(1)', 'https://a b', ''])(
    'does not make a link of %j',
    (value) => {
      expect(entitiesOf(text, [{ mark: 'link', start: 0, end: 3, value }])).toEqual({
        entities: [],
        lost: ['link'],
      });
    },
  );

  it('does not ping an account id of another platform', () => {
    for (const value of ['175928847299117063', 'U024BE7LH', undefined])
      expect(entitiesOf(text, [compactSpan({ mark: 'mention', start: 0, end: 3, value })])).toEqual({
        entities: [],
        lost: ['mention'],
      });
  });

  it('adds no entity to a @name, which Telegram detects itself', () => {
    expect(entitiesOf('@ada hi', [{ mark: 'mention', start: 0, end: 4 }])).toEqual({
      entities: [],
      lost: [],
    });
  });

  it('reads a link target and drops entities out of range, crossing or unknown', () => {
    expect(
      spansOf('abcdef', [
        { type: 'bold', offset: 0, length: 4 },
        { type: 'italic', offset: 2, length: 4 },
        { type: 'underline', offset: 9, length: 2 },
        { type: 'strikethrough', offset: -1, length: 2 },
        { type: 'hashtag', offset: 0, length: 2 },
        { type: 'constructor', offset: 0, length: 2 },
        { type: 'text_link', offset: 1, length: 2, url: 'https://example.com' },
      ]),
    ).toEqual([
      { mark: 'bold', start: 0, end: 4 },
      { mark: 'link', start: 1, end: 3, value: 'https://example.com' },
    ]);
  });

  it('never renders an entity that the platform refuses, nor one that breaks its nesting rules', () => {
    const marks: Mark[] = [
      'bold',
      'italic',
      'code',
      'code_block',
      'quote',
      'link',
      'mention',
      'spoiler',
      'heading',
    ];
    const spans = fc.array(
      fc.record({ mark: fc.constantFrom(...marks), a: fc.nat(42), b: fc.nat(42) }).map(
        ({ mark, a, b }): Span => ({
          mark,
          start: Math.min(a, b),
          end: Math.max(a, b) + 1,
          value: mark === 'link' ? 'https://example.com' : '700001',
        }),
      ),
      { maxLength: 8 },
    );
    const solid = new Set(['code', 'pre', 'text_link', 'text_mention']);
    fc.assert(
      fc.property(spans, (value) => {
        const { entities } = entitiesOf(text, value);
        expect(entityProblem(text, entities)).toBeUndefined();
        for (const a of entities)
          for (const b of entities) {
            if (a === b || !(a.offset < b.offset + b.length && b.offset < a.offset + a.length)) continue;
            expect(solid.has(a.type) && solid.has(b.type)).toBe(false);
            expect(a.type === 'blockquote' && b.type === 'blockquote').toBe(false);
            const style = solid.has(a.type) ? b.type : a.type;
            if ([a.type, b.type].some((type) => type === 'code' || type === 'pre'))
              expect(style).toBe('blockquote');
          }
      }),
    );
  });
});

function compactSpan({ value, ...span }: Omit<Span, 'value'> & { value: string | undefined }): Span {
  return value === undefined ? span : { ...span, value };
}
