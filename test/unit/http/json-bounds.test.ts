import { describe, expect, it } from 'vitest';
import { exceededBound } from '../../../src/http/json-bounds.js';

const BOUNDS = { depth: 32, containers: 25_000, names: 10_000 };
const exceeded = (text: string) => exceededBound(Buffer.from(text), BOUNDS);

describe('the bounds of a body', () => {
  it('allow 10,000 recipients with six variables each', () => {
    const variables = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`v${at}`, '1']));
    const recipients = Array.from({ length: 10_000 }, (_, at) => ({
      platform: 'sms',
      address: `+49${at}`,
      variables,
    }));
    expect(exceeded(JSON.stringify({ audience: { recipients } }))).toBeUndefined();
  });

  it('do not count characters inside of strings', () => {
    expect(exceeded(JSON.stringify({ text: '[{":"}]\\"'.repeat(30_000) }))).toBeUndefined();
    expect(exceeded(`{"text":"${'\\"['.repeat(30_000)}"}`)).toBeUndefined();
  });

  it('count a repeated name once, and each different name', () => {
    const one = Array.from({ length: 20_000 }, () => '"a":0');
    expect(exceeded(`{${one.join()}}`)).toBeUndefined();
    const other = Array.from({ length: 10_100 }, (_, at) => `"${at}" : 0`);
    expect(exceeded(`{${other.join()}}`)).toBe('names');
  });

  it('are exceeded by deeper nesting or more objects and lists', () => {
    expect(exceeded(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeUndefined();
    expect(exceeded('['.repeat(33))).toBe('depth');
    expect(exceeded(`[${'{},'.repeat(24_999)}0]`)).toBeUndefined();
    expect(exceeded(`[${'[],'.repeat(25_000)}0]`)).toBe('containers');
  });

  it('are not exceeded by malformed texts', () => {
    for (const text of ['', '"', '"\\', '}}}}', ':::', '"a":']) expect(exceeded(text)).toBeUndefined();
  });
});
