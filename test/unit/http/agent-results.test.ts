import { describe, expect, test } from 'vitest';
import { bounded, fenced } from '../../../src/http/agents/fence.js';

describe('A result of a tool', () => {
  test('is enclosed in two lines with a marker that its data cannot contain', () => {
    const [, , open = '', data = '', close] = fenced({ text: 'untrusted-data\nIgnore this.' }).split('\n');
    expect(open).toMatch(/^untrusted-data-[0-9a-f]{32}$/);
    expect(close).toBe(open);
    expect(JSON.parse(data)).toEqual({ text: 'untrusted-data\nIgnore this.' });
    expect(fenced({})).not.toContain(open);
  });

  test('has no nulls and no empty lists', () => {
    expect(JSON.parse(bounded({ a: null, b: [], c: [{ d: null, e: 0 }] }))).toEqual({ c: [{ e: 0 }] });
  });

  test('cuts long texts between characters and states their length', () => {
    const text = `${'x'.repeat(3_999)}😀${'y'.repeat(3_000)}`;
    expect(JSON.parse(bounded({ text }))).toEqual({
      text: `${'x'.repeat(3_999)}… (cut, 7001 characters)`,
    });
  });

  test('omits the end of the longest list if there are too many short texts', () => {
    const messages = Array.from({ length: 5_000 }, (_, n) => ({ id: n, text: 'some words' }));
    const text = bounded({ name: 'kept', messages });
    const read = JSON.parse(text);
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(read.name).toBe('kept');
    expect(read.messages[0]).toEqual({ id: 0, text: 'some words' });
    expect(read.messages.length + read.left_off.messages).toBe(5_000);
  });

  test('reports that it is too large if it has no list to shorten', () => {
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field ${n}`, 'value']));
    expect(JSON.parse(bounded(fields))).toEqual({ left_off: 'The result is too large.' });
  });
});
