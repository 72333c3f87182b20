import { describe, expect, it } from 'vitest';
import { createWebhookBody, updateWebhookBody } from '../../../../src/core/webhooks/bodies.js';
import { buildPayload, publicEventId, type StoredEvent } from '../../../../src/core/webhooks/payload.js';

const event: StoredEvent = {
  id: '019b76da-a800-0044-3214-c74254b635cf',
  position: 7,
  type: 'message.created',
  occurredAt: new Date('2026-01-01T00:00:00Z'),
  data: { id: 'm', conversation_id: 'c', text: 'Hi' },
  extra: { sender: { id: 'u' } },
};
const as20 = (_type: string, data: Readonly<Record<string, unknown>>) => ({ content: { text: data.text } });

describe('buildPayload', () => {
  it('has exactly four fields, and its data is the record with the additions of the event and its sequence', () => {
    const payload = buildPayload(event, '1.0', as20);
    expect(JSON.stringify(payload)).toBe(
      '{"id":"whk_01KDVDNA000123456789ABCDEF","event":"message.created","timestamp":"2026-01-01T00:00:00.000Z",' +
        '"data":{"id":"m","conversation_id":"c","text":"Hi","sender":{"id":"u"},"sequence":7}}',
    );
    expect(publicEventId(event.id)).toBe(payload.id);
  });

  it('adds the type and presents the data in 2.0', () => {
    expect(buildPayload(event, '2.0', as20)).toMatchObject({
      type: 'message.created',
      data: { content: { text: 'Hi' }, sequence: 7 },
    });
  });

  it('cuts data over 256 KiB to its ids', () => {
    const large = { ...event, data: { ...event.data, text: 'x'.repeat(256 * 1024) } };
    expect(buildPayload(large, '1.0', as20).data).toEqual({
      id: 'm',
      conversation_id: 'c',
      sequence: 7,
      truncated: true,
    });
  });
});

describe('request bodies', () => {
  const minimal = { url: 'https://example.com/', events: ['*'] };
  const accepts = (extra: object) => createWebhookBody.safeParse({ ...minimal, ...extra }).success;

  it('have defaults', () => {
    expect(createWebhookBody.parse(minimal)).toEqual({
      ...minimal,
      status: 'enabled',
      headers: {},
      description: null,
      rate_limit: null,
      metadata: {},
    });
    expect(updateWebhookBody.parse({})).toEqual({});
  });

  it.each([
    [{ headers: { 'X-Tenant': 'a' } }, true],
    [{ headers: { Authorization: 'a' } }, false],
    [{ headers: { 'X-Service-Signature': 'a' } }, false],
    [{ headers: { 'X-sERVICE-x': 'a' } }, false],
    [{ headers: { 'X-Tenant': '' } }, false],
    [{ headers: { 'X-Tenant': 'a\r\nb' } }, false],
    [{ headers: { 'X-Tenant': 'a', 'X-tenant': 'b' } }, false],
    [{ headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'a'])) }, false],
    [{ description: '😀'.repeat(256) }, true],
    [{ description: 'a'.repeat(257) }, false],
    [{ rate_limit: 0 }, false],
    [{ rate_limit: 1000 }, true],
    [{ status: 'auto_disabled' }, false],
    [{ events: [] }, false],
    [{ secret: 'whsec_short' }, false],
    [{ metadata: { k: 'x'.repeat(4096) } }, false],
  ])('%j: %s', (extra, expected) => {
    expect(accepts(extra)).toBe(expected);
  });
});
