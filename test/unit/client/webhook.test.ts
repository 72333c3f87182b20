import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { TrunklineError, type VerifyOptions, verifyWebhook } from '../../../src/client/index.js';
import { generateSecret } from '../../../src/core/webhooks/secret.js';
import { signatureHeaders } from '../../../src/core/webhooks/signature.js';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const t = 1767225600;
const body =
  '{"id":"whk_01KDVDNA000123456789ABCDEF","event":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z",' +
  '"data":{"webhook_id":"019b76da-a800-7000-8000-000000000001","message":"Grüße ✓","sequence":1}}';
const own = {
  'X-Service-Signature': `t=${t},v1=b0264d1b1ff4a6f6811dd50c4cd6b3dac1b49acb5b5ab32254d804ff4374e80b`,
};
const standard = {
  'webhook-id': 'whk_01KDVDNA000123456789ABCDEF',
  'webhook-timestamp': `${t}`,
  'webhook-signature': 'v1,hYQPQbe5qG+adDAU0mRj6r51lBQZmcUOOeFK3GZnHRA=',
};
const schemes = [
  ['X-Service-Signature', own],
  ['Standard Webhooks', standard],
] as const;

const outcome = (
  bytes: string | Uint8Array | ArrayBuffer,
  headers: Parameters<typeof verifyWebhook>[1],
  key = secret,
  options: VerifyOptions = { now: t },
) =>
  verifyWebhook(bytes, headers, key, options).then(
    () => 'accepted',
    (error: unknown) => (error instanceof TrunklineError ? error.code : error),
  );

describe.each(schemes)('verifyWebhook by %s', (_name, headers) => {
  it('returns the event of the published test vector', async () => {
    const event = await verifyWebhook(body, headers, secret, { now: t });
    expect(event).toEqual(JSON.parse(body));
    if (event.event === 'webhook.test') expect(event.data.message).toBe('Grüße ✓');
  });

  it('accepts headers and bodies in the forms that servers provide', async () => {
    const bytes = new TextEncoder().encode(body);
    const inLists = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    );
    expect(await outcome(bytes, new Headers(headers))).toBe('accepted');
    expect(await outcome(Buffer.from(body), inLists)).toBe('accepted');
    expect(await outcome(bytes.buffer, headers)).toBe('accepted');
  });

  it('refuses another body, another secret and a changed signature', async () => {
    const changed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/v1(.)./, 'v1$1Q')]),
    );
    expect(await outcome(`${body}\n`, headers)).toBe('invalid_signature');
    expect(await outcome(body, headers, generateSecret())).toBe('invalid_signature');
    expect(await outcome(body, changed)).toBe('invalid_signature');
  });

  it('refuses a signature that is too old or in the future', async () => {
    expect(await outcome(body, headers, secret, { now: t + 300 })).toBe('accepted');
    expect(await outcome(body, headers, secret, { now: t + 301 })).toBe('invalid_signature');
    expect(await outcome(body, headers, secret, { now: t - 301 })).toBe('invalid_signature');
    expect(await outcome(body, headers, secret, { now: t + 301, toleranceSeconds: 600 })).toBe('accepted');
    expect(await outcome(body, headers, secret, {})).toBe('invalid_signature');
  });
});

describe('verifyWebhook', () => {
  it('accepts either secret during a rotation, in both schemes', async () => {
    const [current, old] = [generateSecret(), generateSecret()];
    const id = standard['webhook-id'];
    const { 'x-service-signature': both, ...rest } = signatureHeaders({ id, body, timestamp: t }, [
      current,
      old,
    ]);
    for (const key of [current, old]) {
      expect(await outcome(body, { 'x-service-signature': both }, key)).toBe('accepted');
      expect(await outcome(body, rest, key)).toBe('accepted');
    }
    expect(await outcome(body, rest, generateSecret())).toBe('invalid_signature');
  });

  it('accepts a signature made by the Standard Webhooks library', async () => {
    const at = new Date();
    const id = 'whk_1';
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
    expect(await outcome(body, headers, secret, {})).toBe('accepted');
  });

  it.each([
    {},
    { 'x-service-signature': '' },
    { 'x-service-signature': `t=${t}` },
    { 'x-service-signature': `t=${t},v1=` },
    { 'x-service-signature': `t=${t},v1=zz` },
    { 'x-service-signature': own['X-Service-Signature'].replace(`${t}`, '1e9') },
    { ...standard, 'webhook-signature': 'v1,' },
    { ...standard, 'webhook-signature': 'v1a,hYQPQbe5qG+adDAU0mRj6r51lBQZmcUOOeFK3GZnHRA=' },
    { ...standard, 'webhook-id': 'whk_other' },
  ])('refuses %j', async (headers) => {
    expect(await outcome(body, headers)).toBe('invalid_signature');
  });

  it('explains what to pass when the body was already parsed or the secret is invalid', async () => {
    const parsed = JSON.parse(body);
    await expect(verifyWebhook(parsed, own, secret)).rejects.toThrow('body must be the raw body');
    await expect(verifyWebhook(body, standard, 'whsec_', { now: t })).rejects.toThrow('secret must be');
  });
});
