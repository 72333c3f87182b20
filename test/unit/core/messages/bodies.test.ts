import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { editMessageBody, firstMessageBody, sendMessageBody } from '../../../../src/core/messages/bodies.js';

const CONVERSATION = '019b76da-a800-7000-8000-000000000001';
const base = { conversation_id: CONVERSATION, text: 'Hello' };

/** `path: code` of each problem. */
function problems(schema: z.ZodType, body: unknown): string[] {
  const { error } = schema.safeParse(body);
  return (error?.issues ?? []).map((issue) => {
    const code = issue.code === 'custom' ? (issue.params as { code?: string } | undefined)?.code : issue.code;
    return `${issue.path.join('.')}: ${code}`;
  });
}

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const DAY_MS = 86_400_000;

describe('the body of a message', () => {
  it('has defaults for all optional fields', () => {
    expect(sendMessageBody.parse(base)).toEqual({
      ...base,
      content_type: 'text',
      attachments: [],
      category: 'conversational',
      ttl_seconds: 86_400,
      internal: false,
      metadata: {},
    });
  });

  it('accepts the field names of client libraries', () => {
    const named = { conversationId: 42, content: 'Hello', contentType: 'markdown' };
    const body = sendMessageBody.parse(named);
    expect(body).toMatchObject({ conversation_id: 42, text: 'Hello', content_type: 'markdown' });
    expect(Object.keys(body)).not.toEqual(
      expect.arrayContaining(['conversationId', 'content', 'contentType']),
    );
  });

  it('accepts both names with equal values, and refuses different ones', () => {
    expect(sendMessageBody.parse({ ...base, content: 'Hello' }).text).toBe('Hello');
    expect(problems(sendMessageBody, { ...base, content: 'Bye' })).toEqual(['content: exclusive']);
    expect(problems(sendMessageBody, { ...base, conversationId: 7 })).toEqual(['conversationId: exclusive']);
  });

  it('accepts a conversation id in any case, a number, or a number as text', () => {
    for (const [given, read] of [
      [CONVERSATION.toUpperCase(), CONVERSATION],
      [7, 7],
      ['7', 7],
      // Such a number does not exist, which the lookup reports.
      ['9'.repeat(20), Number.MAX_SAFE_INTEGER],
    ]) {
      expect(sendMessageBody.parse({ ...base, conversation_id: given }).conversation_id).toBe(read);
    }
    for (const wrong of [0, -1, 1.5, 'seven', '', {}]) {
      expect(problems(sendMessageBody, { ...base, conversation_id: wrong })).not.toEqual([]);
    }
  });

  it('reports which of its two required fields is missing', () => {
    expect(problems(sendMessageBody, {})).toEqual(['conversation_id: required', 'text: required']);
  });

  it('may be blank only with an attachment, and then must be empty', () => {
    const attachments = ['https://a.example/a.png'];
    expect(problems(sendMessageBody, { ...base, text: '' })).toEqual(['text: too_short']);
    expect(problems(sendMessageBody, { ...base, text: ' \n' })).toEqual(['text: too_short']);
    expect(problems(sendMessageBody, { ...base, text: ' ', attachments })).toEqual(['text: too_short']);
    expect(sendMessageBody.parse({ ...base, text: '', attachments }).attachments).toEqual([
      { url: attachments[0] },
    ]);
    expect(problems(firstMessageBody, { text: ' ' })).toEqual(['text: too_short']);
    expect(problems(editMessageBody, { text: ' ' })).toEqual(['text: too_short']);
  });

  it.each([
    ['text', 'x'.repeat(10_000), []],
    ['text', '👍'.repeat(10_000), []],
    ['text', 'x'.repeat(10_001), ['text: too_long']],
    ['text', 'a\u0000', ['text: malformed']],
    ['text', '\uD800', ['text: malformed']],
    ['ttl_seconds', 60, []],
    ['ttl_seconds', 604_800, []],
    ['ttl_seconds', 59, ['ttl_seconds: too_small']],
    ['ttl_seconds', 604_801, ['ttl_seconds: too_big']],
    ['attachments', Array(10).fill('https://a.example'), []],
    ['attachments', Array(11).fill('https://a.example'), ['attachments: too_big']],
    ['category', 'spam', ['category: invalid_value']],
    ['reply_to_id', null, []],
  ])('limits %s', (field, value, expected) => {
    expect(problems(sendMessageBody, { ...base, [field]: value })).toEqual(expected);
  });

  it('can be scheduled at most a year ahead and a minute in the past', () => {
    for (const at of [inMs(-50_000), inMs(364.9 * DAY_MS), null]) {
      expect(problems(sendMessageBody, { ...base, send_at: at })).toEqual([]);
    }
    expect(problems(sendMessageBody, { ...base, send_at: inMs(-70_000) })).toEqual(['send_at: too_small']);
    expect(problems(sendMessageBody, { ...base, send_at: inMs(366 * DAY_MS) })).toEqual([
      'send_at: too_large',
    ]);
    expect(problems(sendMessageBody, { ...base, send_at: 'tomorrow' })).toEqual(['send_at: invalid_format']);
  });
});

describe('an attachment', () => {
  const UPLOAD = CONVERSATION;

  it.each([
    [{ url: 'https://a.example/x' }, true],
    [{ upload_id: UPLOAD }, true],
    [{ url: 'https://a.example/x', upload_id: UPLOAD }, false],
    [{}, false],
    [{ type: 'image' }, false],
    [{ type: 'contact', metadata: { name: 'Ann' } }, true],
    [{ type: 'location', latitude: 52.5, longitude: 13.4 }, true],
    [{ type: 'location', latitude: 52.5 }, false],
    [{ type: 'location', latitude: 52.5, longitude: 13.4, url: 'https://a.example/x' }, false],
    [{ type: 'contact', upload_id: UPLOAD }, false],
    [{ type: 'location', latitude: 91, longitude: 0 }, false],
    [{ url: 'ftp://a.example' }, false],
    [{ url: 'https://user:secret@a.example' }, false],
    ['javascript:alert(1)', false],
  ])('%j', (attachment, accepted) => {
    expect(problems(sendMessageBody, { ...base, attachments: [attachment] }).length === 0).toBe(accepted);
  });
});
