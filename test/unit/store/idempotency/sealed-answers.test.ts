import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SealedAnswers } from '../../../../src/store/idempotency/sealed-answers.js';
import { AesSecretBox } from '../../../../src/store/secrets/secret-box.js';

const answers = new SealedAnswers(new AesSecretBox(randomBytes(32)));
const webhook = { id: 'a', url: 'https://example.com', secret: 'whsec_c2VjcmV0', events: ['*'] };

describe('A stored response', () => {
  test('does not contain the secret in plain text', async () => {
    expect(JSON.stringify(await answers.seal('row', webhook))).not.toContain(webhook.secret);
  });

  test('is replayed with its secret, field for field', async () => {
    const stored = JSON.parse(JSON.stringify(await answers.seal('row', webhook))) as unknown;
    expect(JSON.stringify(await answers.open('row', stored))).toBe(JSON.stringify(webhook));
  });

  test('reveals its secret for its own request only', async () => {
    const stored = await answers.seal('row', webhook);
    await expect(answers.open('another', stored)).rejects.toThrow();
  });

  test('is unchanged if it has no secret', async () => {
    const message = { id: 'b', secret: null };
    expect(await answers.seal('row', message)).toBe(message);
    expect(await answers.open('row', message)).toBe(message);
  });
});
