import { describe, expect, it } from 'vitest';
import { changeConnectionBody, createConnectionBody } from '../../../../src/core/platforms/bodies.js';

const KEY = `-----BEGIN PRIVATE KEY-----\n${`${'A'.repeat(64)}\n`.repeat(50)}-----END PRIVATE KEY-----\n`;

describe('the settings of a connection', () => {
  it('can contain two long private keys', () => {
    const made = createConnectionBody.safeParse({ name: 'x', credentials: { a: KEY, b: KEY } });
    expect(made.success).toBe(true);
  });

  it.each([
    ['credentials', 8_192],
    ['settings', 65_536],
  ])('are too large when their %s have more than %i bytes', (field, maxBytes) => {
    const of = (bytes: number) => ({ [field]: { a: 'x'.repeat(bytes - '{"a":""}'.length) } });
    expect(changeConnectionBody.safeParse(of(maxBytes)).success).toBe(true);
    expect(changeConnectionBody.safeParse(of(maxBytes + 1)).error?.issues).toMatchObject([
      { path: [field], params: { code: 'too_large' } },
    ]);
  });
});
