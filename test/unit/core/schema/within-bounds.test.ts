import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sendMessageBody } from '../../../../src/core/messages/bodies.js';
import { metadata } from '../../../../src/core/schema/scalars.js';
import { withinBounds } from '../../../../src/core/schema/within-bounds.js';
import { createWebhookBody } from '../../../../src/core/webhooks/bodies.js';
import { isKnown, scopesOf } from '../../../../src/core/webhooks/subscription.js';
import { route } from '../../../../src/http/route.js';
import { RouteValidation } from '../../../../src/http/validation.js';

describe('a body with an array that is too long', () => {
  it('has at most one element above the limit checked', () => {
    let checks = 0;
    const element = z.string().refine(() => {
      checks += 1;
      return false;
    });
    const schema = z.object({ outer: z.object({ items: z.array(element).max(3).nullish() }).optional() });
    const result = schema.safeParse(
      withinBounds(schema, { outer: { items: Array.from({ length: 300_000 }, () => 'x') } }),
    );
    expect(checks).toBeLessThanOrEqual(4);
    expect(result.error?.issues[0]).toMatchObject({ code: 'too_big', maximum: 3, path: ['outer', 'items'] });
  });

  it('is otherwise unchanged, whatever it contains', () => {
    const schema = z.object({
      list: z.array(z.union([z.string(), z.object({ a: z.array(z.int()) })])).max(2),
    });
    const value = JSON.parse('{"list":["x",{"a":[1,2,3],"b":[]}],"other":[1,2,3],"__proto__":{"x":1}}');
    expect(JSON.stringify(withinBounds(schema, value))).toBe(JSON.stringify(value));
    expect(withinBounds(schema, { list: 'x' })).toEqual({ list: 'x' });
    expect(withinBounds(schema, null)).toBeNull();
  });
});

const fieldsOf = (body: z.ZodType, sent: object, version: '1.0' | '2.0') => {
  const of = {
    method: 'POST',
    path: '/x',
    summary: '',
    tag: 'X',
    scopes: [],
    oauth: null,
    success: 201,
  } as const;
  const validation = new RouteValidation(route({ ...of, body, handler: async () => undefined }));
  try {
    validation.readBody(sent as Record<string, unknown>, version);
  } catch (error) {
    return (error as { details: { fields: { field: string; code: string }[] } }).details.fields;
  }
  return [];
};
const many = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));

describe.each(['1.0', '2.0'] as const)('an error of version %s', (version) => {
  it.each([
    [
      'events',
      createWebhookBody,
      { url: 'https://a.example', events: many(250_000, (index) => `e${index}`) },
    ],
    ['events', createWebhookBody, { url: 'https://a.example', events: many(80_000, () => 'message.*') }],
    ['attachments', sendMessageBody, { text: 'x', attachments: many(300_000, () => ({})) }],
    [
      'attachments',
      sendMessageBody,
      { text: 'x', attachments: many(300_000, (index) => ({ [`a${index}`]: 1 })) },
    ],
  ])('reports too many %s, and lists a hundred problems at most', (field, body, sent) => {
    const fields = fieldsOf(body, sent, version);
    expect(fields).toContainEqual(expect.objectContaining({ field, code: 'too_many' }));
    expect(fields.length).toBeLessThanOrEqual(100);
  });

  it('lists a hundred unknown fields at most', () => {
    const sent = Object.fromEntries(many(90_000, (index) => [`k${index}`, 1]));
    expect(fieldsOf(createWebhookBody, sent, version).length).toBeLessThanOrEqual(100);
  });
});

describe('metadata', () => {
  it('of ninety thousand keys, or a mebibyte of elements, is refused', () => {
    expect(metadata.safeParse(Object.fromEntries(many(90_000, (index) => [`k${index}`, 1]))).success).toBe(
      false,
    );
    expect(metadata.safeParse({ a: many(500_000, () => 0) }).success).toBe(false);
    expect(metadata.safeParse({ a: [1, null, { b: 'x' }] }).success).toBe(true);
  });
});

describe('an entry of a subscription', () => {
  it.each([
    ['message.created', ['messages:read']],
    ['conversation.*', ['conversations:read']],
    ['calls', ['calls:read']],
  ])('%s needs %j', (entry, scopes) => {
    expect(isKnown(entry)).toBe(true);
    expect(scopesOf(entry)).toEqual(scopes);
  });

  it.each(['', 'nope', 'message', 'message.', '__proto__', 'constructor'])(
    '%j is not a subscription',
    (entry) => {
      expect(isKnown(entry)).toBe(false);
      expect(scopesOf(entry)).toEqual([]);
    },
  );
});
