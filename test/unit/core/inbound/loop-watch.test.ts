import { describe, expect, it } from 'vitest';
import { LoopWatch } from '../../../../src/core/inbound/loop-watch.js';

const hear = (watch: LoopWatch, texts: readonly string[], chat = 'a') =>
  texts.map((text) => watch.isSuspicious('connection', chat, text));

describe('a watch for loops', () => {
  it('suspects each fifth repetition of a text in one chat, and no other text', () => {
    const watch = new LoopWatch();
    expect(
      hear(
        watch,
        Array.from({ length: 11 }, () => 'ok'),
      ).flatMap((is, n) => (is ? [n] : [])),
    ).toEqual([5, 10]);
    expect(hear(watch, ['one', 'two', 'three', 'four', 'five', 'six', ''])).not.toContain(true);
    expect(hear(watch, ['ok'], 'another chat')).toEqual([false]);
  });

  it('recognises a text by its end, whatever precedes it', () => {
    const watch = new LoopWatch();
    const long = 'word '.repeat(1_000);
    const texts = Array.from({ length: 6 }, (_, n) => 'Relay: '.repeat(n) + long);
    expect(hear(watch, texts).at(-1)).toBe(true);
  });

  it('drops the chats with the oldest messages', () => {
    const watch = new LoopWatch();
    hear(watch, ['ok', 'ok', 'ok', 'ok', 'ok']);
    for (let n = 0; n < 2_000; n += 1) hear(watch, ['x'], `chat ${n}`);
    expect(hear(watch, ['ok'])).toEqual([false]);
  });
});
