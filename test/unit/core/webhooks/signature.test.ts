import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { generateSecret, isSecret, secretHint } from '../../../../src/core/webhooks/secret.js';
import { signatureHeaders, verifySignature } from '../../../../src/core/webhooks/signature.js';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const id = 'whk_01KDVDNA000123456789ABCDEF';
const timestamp = 1767225600;
const body =
  '{"id":"whk_01KDVDNA000123456789ABCDEF","event":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z",' +
  '"data":{"webhook_id":"019b76da-a800-7000-8000-000000000001","message":"Grüße ✓","sequence":1}}';

describe('signatureHeaders', () => {
  it('reproduces the published test vector', () => {
    expect(Buffer.byteLength(body)).toBe(199);
    expect(signatureHeaders({ id, body, timestamp }, [secret])).toEqual({
      'x-service-signature':
        't=1767225600,v1=b0264d1b1ff4a6f6811dd50c4cd6b3dac1b49acb5b5ab32254d804ff4374e80b',
      'webhook-id': id,
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,hYQPQbe5qG+adDAU0mRj6r51lBQZmcUOOeFK3GZnHRA=',
    });
  });

  it('is accepted by the Standard Webhooks library, for the new and the old secret of a rotation', () => {
    const now = Math.floor(Date.now() / 1000);
    const [current, old] = [generateSecret(), generateSecret()];
    const headers = signatureHeaders({ id, body, timestamp: now }, [current, old]);
    for (const each of [current, old]) {
      expect(new Webhook(each).verify(body, headers)).toMatchObject({ id });
    }
    expect(() => new Webhook(generateSecret()).verify(body, headers)).toThrow();
  });
});

describe('verifySignature', () => {
  const all = signatureHeaders({ id, body, timestamp }, [secret]);
  const own = { 'X-Service-Signature': all['x-service-signature'] };
  const { 'x-service-signature': _own, ...standard } = all;

  it.each([
    ['own scheme', own],
    ['Standard Webhooks', standard],
    ['fetch headers', new Headers(all)],
  ])('accepts a valid signature: %s', (_name, headers) => {
    expect(verifySignature(body, headers, secret, { now: timestamp })).toBe(true);
    expect(verifySignature(Buffer.from(body), headers, secret, { now: timestamp })).toBe(true);
  });

  it.each([own, standard])('refuses another body, secret, or time', (headers) => {
    expect(verifySignature(`${body} `, headers, secret, { now: timestamp })).toBe(false);
    expect(verifySignature(body, headers, generateSecret(), { now: timestamp })).toBe(false);
    expect(verifySignature(body, headers, secret, { now: timestamp + 300 })).toBe(true);
    expect(verifySignature(body, headers, secret, { now: timestamp + 301 })).toBe(false);
    expect(verifySignature(body, headers, secret, { now: timestamp - 301 })).toBe(false);
    expect(verifySignature(body, headers, secret, { now: timestamp + 301, toleranceSeconds: 400 })).toBe(
      true,
    );
  });

  it('accepts either secret of a rotation', () => {
    const old = generateSecret();
    const headers = signatureHeaders({ id, body, timestamp }, [secret, old]);
    for (const each of [secret, old])
      expect(verifySignature(body, headers, each, { now: timestamp })).toBe(true);
  });

  it.each([
    {},
    { 'x-service-signature': '' },
    { 'x-service-signature': 'v1=00' },
    { 'x-service-signature': 't=x,v1=00' },
    { 'x-service-signature': 't=1767225600' },
    { 'x-service-signature': 't=1767225600,v1=zz' },
    { 'webhook-id': id, 'webhook-timestamp': '1767225600' },
    { 'webhook-id': id, 'webhook-timestamp': '1767225600', 'webhook-signature': 'v1,' },
  ])('refuses malformed headers %j', (headers) => {
    expect(verifySignature(body, headers, secret, { now: timestamp })).toBe(false);
  });
});

describe('secrets', () => {
  it('are generated from 32 bytes and end in their hint', () => {
    const made = generateSecret();
    expect(made).toHaveLength('whsec_'.length + 44);
    expect(isSecret(made)).toBe(true);
    expect(made.endsWith(secretHint(made))).toBe(true);
    expect(secretHint(made)).toHaveLength(4);
  });

  it.each([
    [24, true],
    [64, true],
    [23, false],
    [65, false],
  ])('of %i bytes are valid: %s', (size, expected) => {
    expect(isSecret(`whsec_${randomBytes(size).toString('base64')}`)).toBe(expected);
  });

  it('need the prefix and valid base64', () => {
    expect(isSecret(secret.slice('whsec_'.length))).toBe(false);
    expect(isSecret(secret.replace('=', ''))).toBe(false);
    expect(isSecret(`whsec_${'!'.repeat(44)}`)).toBe(false);
  });
});
