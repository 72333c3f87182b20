import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slackCapabilities } from '../../../../../adapters/slack/capabilities.js';
import { parseMrkdwn } from '../../../../../adapters/slack/inbound/from-mrkdwn.js';
import { planOperation } from '../../../../../adapters/slack/outbound/plan.js';
import {
  type Content,
  type Operation,
  PlatformError,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../../../src/contract/index.js';

const to = { chatId: remoteChatId('C1') };
const plan = (operation: Operation) => planOperation(operation, slackCapabilities);
const send = (content: Content) => plan({ type: 'send', to, content });
const part = (index: number) => ({ index, kind: 'text', id: remoteMessageId(`1.00000${index}`) }) as const;

describe('Slack plan', () => {
  it('splits a text without loss into parts within the limit', () => {
    const unit = fc.constantFrom('word ', '\n\n', '&', '<', '👩‍👩‍👧', 'é', 'x'.repeat(500));
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 120 }), (text) => {
        fc.pre(text.length <= 36_000);
        const texts = send(plainContent(text)).steps.map(
          (step) => parseMrkdwn(String(step.payload.text), () => undefined).text,
        );
        expect(texts.join('')).toBe(text);
        for (const piece of texts) expect(piece.length).toBeLessThanOrEqual(4_000);
      }),
    );
  });

  it('refuses a text of more than ten messages and a message without text before any call', () => {
    expect(() => send(plainContent('word '.repeat(9_000)))).toThrowError(
      expect.objectContaining({ problem: { kind: 'rejected', reason: 'too_long' }, dispatched: 'no' }),
    );
    expect(() => send(plainContent(''))).toThrowError(PlatformError);
  });

  it('puts attachments on lines of their own and reports them', () => {
    const { steps, degradations } = send({
      text: 'Look',
      spans: [{ mark: 'spoiler', start: 0, end: 4 }],
      attachments: [
        { type: 'image', url: 'https://files.example/1?sig=a&b', name: 'cat.png' },
        { type: 'location', latitude: 1.5, longitude: 2, name: 'Here' },
      ],
    });
    expect(steps.map((step) => step.payload.text)).toEqual([
      'Look\nhttps://files.example/1?sig=a&amp;b\nHere https://www.openstreetmap.org/?mlat=1.5&amp;mlon=2',
    ]);
    expect(degradations).toEqual(['format.spoiler', 'media.image', 'media.location']);
  });

  it('names locations, contacts and missing files, each once', () => {
    const { steps } = send({
      text: '',
      spans: [],
      attachments: [
        { type: 'contact', name: 'Bob B', metadata: { name: 'Bob B', phone: '+49 1' } },
        { type: 'contact', name: 'Carol' },
        { type: 'file', name: 'plan.pdf' },
        { type: 'image' },
      ],
    });
    expect(steps.map((step) => step.payload.text)).toEqual(['Bob B +49 1\nCarol\nplan.pdf\n[image]']);
  });

  it('passes on the thread or the message replied to', () => {
    const replyToId = remoteMessageId('1.000001');
    const thread = { ...to, threadId: remoteThreadId('1.000000') };
    const content = plainContent('x');
    const hint = (operation: Operation) => {
      const { text: _, blocks: __, ...rest } = plan(operation).steps[0]?.payload ?? {};
      return rest;
    };
    expect(hint({ type: 'send', to, content, replyToId })).toEqual({ reply_to: '1.000001' });
    expect(hint({ type: 'send', to: thread, content, replyToId })).toEqual({ thread_ts: '1.000000' });
  });

  it('updates, adds and removes parts when an edit changes their number', () => {
    const actions = (text: string, parts: number) =>
      plan({
        type: 'edit',
        to,
        content: plainContent(text),
        parts: Array.from({ length: parts }, (_, index) => part(index)).reverse(),
      }).steps.map((step) => [step.action, step.index, step.targetId]);
    expect(actions('word '.repeat(2_000), 1)).toEqual([
      ['update', 0, '1.000000'],
      ['create', 1, undefined],
      ['create', 2, undefined],
    ]);
    expect(actions('short', 3)).toEqual([
      ['update', 0, '1.000000'],
      ['remove', 1, '1.000001'],
      ['remove', 2, '1.000002'],
    ]);
  });

  it('removes every part of a deleted message', () => {
    expect(
      plan({ type: 'delete', to, parts: [part(0), part(1)] }).steps.map((step) => step.targetId),
    ).toEqual(['1.000000', '1.000001']);
  });

  it("uses Slack's names for reactions", () => {
    const react = (emoji: string, id = '1.000001') =>
      plan({ type: 'react', to, messageId: remoteMessageId(id), emoji, change: 'added' });
    const names = ['👍', '👍🏽', '❤', '👨🏽‍⚕️', '🧑🏻‍🤝‍🧑🏿', ':party-parrot:'].map(
      (emoji) => react(emoji).steps[0]?.payload.reaction,
    );
    expect(names).toEqual([
      '+1',
      '+1::skin-tone-4',
      'heart',
      'male-doctor::skin-tone-4',
      'people_holding_hands',
      'party-parrot',
    ]);
    expect(react('🇦')).toEqual({ steps: [], degradations: ['react'] });
    expect(react('👍', 'command-0123')).toEqual({ steps: [], degradations: ['react'] });
  });

  it('puts a short text into the message of the files, and a longer one above it', () => {
    const attachments = [
      {
        type: 'image',
        mediaRef: 'r',
        url: 'https://x.example/1',
        sizeBytes: 5,
        mimeType: 'image/png',
      } as const,
      { type: 'file', mediaRef: 's', url: 'https://x.example/2', sizeBytes: 0, name: 'nothing.txt' } as const,
    ];
    const kinds = (text: string) =>
      send({ text, spans: [], attachments }).steps.map(({ kind, payload }) => [
        kind,
        String(payload.text ?? '').length > 0,
        payload.files === undefined,
      ]);
    expect(kinds('Look')).toEqual([['media', true, false]]);
    expect(kinds('word '.repeat(1_000))).toEqual([
      ['text', true, true],
      ['text', true, true],
      ['media', false, false],
    ]);
    // A file without bytes is shown as a link.
    expect(send({ text: '', spans: [], attachments }).degradations).toEqual(['media.file']);
  });

  it('edits the text of a message with files in place', () => {
    const media = { index: 0, kind: 'media', id: remoteMessageId('1.000000') } as const;
    const steps = (
      text: string,
      ...parts: { index: number; kind: 'text' | 'media'; id: ReturnType<typeof remoteMessageId> }[]
    ) =>
      plan({ type: 'edit', to, content: { ...plainContent(text) }, parts }).steps.map((step) => [
        step.action,
        step.kind,
        step.index,
      ]);
    expect(steps('new', media)).toEqual([['update', 'media', 0]]);
    expect(steps('word '.repeat(1_000), media)).toEqual([
      ['update', 'media', 0],
      ['create', 'text', 1],
    ]);
    expect(steps('short again', media, part(1))).toEqual([
      ['update', 'media', 0],
      ['remove', 'text', 1],
    ]);
  });

  it('has no typing notice, and reports it', () => {
    expect(plan({ type: 'typing', to, state: 'started' })).toEqual({ steps: [], degradations: ['typing'] });
  });
});
