import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../../../src/core/webhooks/excerpt.js';

const of = (text: string, secrets: readonly string[] = []) => excerptOf(Buffer.from(text), secrets);

describe('The excerpt of a response', () => {
  it('is the text of a short response, including its line breaks', () => {
    expect(of('Grüße ✓\r\n\tline\n')).toBe('Grüße ✓\n\tline\n');
  });

  it('has at most 1,024 characters, and cuts no character', () => {
    expect(of('x'.repeat(5_000))).toHaveLength(1_024);
    expect(of(`${'x'.repeat(1_023)}✓✓`)).toBe(`${'x'.repeat(1_023)}✓`);
    expect(of(`${'a'.repeat(1_023)}😀`, ['secret'])?.isWellFormed()).toBe(true);
    expect(excerptOf(Buffer.alloc(5_000, 0xff), [])?.length).toBeLessThanOrEqual(1_024);
  });

  it('is missing for an empty, a blank and a binary response', () => {
    expect([of(''), of(' \n'), of('PNG\0\u0001')]).toEqual([undefined, undefined, undefined]);
  });

  it('contains no control characters and no invalid bytes', () => {
    expect(of('a\u001b[31mb\u0007\u0085c')).toBe('a�[31mb��c');
    expect(excerptOf(Buffer.from([0x61, 0xc3, 0x28, 0xed, 0xa0, 0x80]), [])).toMatch(/^a�\(�+$/);
  });

  it('masks the values of headers, also in JSON and at the end of the excerpt', () => {
    const token = 'Bearer "abc"-1234567890';
    expect(of(`You sent ${token} and ${JSON.stringify({ token })}`, ['Bearer', token, ''])).toBe(
      'You sent *** and {"token":"***"}',
    );
    for (let before = 990; before <= 1_030; before++) {
      const text = of('x'.repeat(before) + token.repeat(2), [token]) ?? '';
      expect(text).not.toMatch(/Bea|abc|123/);
      expect(text.length).toBeLessThanOrEqual(1_024);
    }
  });
});
