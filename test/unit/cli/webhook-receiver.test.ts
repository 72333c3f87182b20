import { describe, expect, test } from 'vitest';
import { wrongSignatures } from '../../../src/cli/demo/webhook-receiver.js';
import { signatureHeaders } from '../../../src/core/webhooks/signature.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const BODY = '{"id":"whk_1","event":"webhook.test"}';
const now = () => Math.floor(Date.now() / 1000);
const signed = (timestamp: number) => signatureHeaders({ id: 'whk_1', body: BODY, timestamp }, [SECRET]);

describe('The receiver of the demo', () => {
  test('accepts a body that the service signed', () => {
    expect(wrongSignatures(Buffer.from(BODY), signed(now()), SECRET)).toEqual([]);
  });

  test.each([
    ['another body', `${BODY} `, signed(now())],
    ['an old time', BODY, signed(now() - 400)],
    ['no signature', BODY, {}],
  ])('refuses both signatures of %s', (_, body, headers) => {
    expect(wrongSignatures(Buffer.from(body), headers, SECRET)).toEqual([
      'X-Service-Signature',
      'webhook-signature',
    ]);
  });

  test.each([
    ['X-Service-Signature', { 'x-service-signature': `t=${now()},v1=${'0'.repeat(64)}` }],
    ['webhook-signature', { 'webhook-id': 'whk_2' }],
  ])('refuses %s alone', (name, headers) => {
    const given = { ...signed(now()), ...headers };
    expect(wrongSignatures(Buffer.from(BODY), given, SECRET)).toEqual([name]);
  });
});
