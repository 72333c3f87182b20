import { describe, expect, it } from 'vitest';
import { LruMap } from '../../../../../adapters/discord/directory/lru.js';

describe('a map of limited size', () => {
  it('drops the key that was not read or set for the longest time', () => {
    const map = new LruMap<number>(3);
    for (const [index, key] of ['first', 'second', 'third'].entries()) map.set(key, index);
    expect(map.get('first')).toBe(0);
    map.set('fourth', 3);
    expect(map.entries().map(([key]) => key)).toEqual(['third', 'first', 'fourth']);
    map.set('third', 2);
    map.set('fifth', 4);
    expect(map.entries().map(([key]) => key)).toEqual(['fourth', 'third', 'fifth']);
  });

  it('does not add a key that is read', () => {
    const map = new LruMap<number>(3);
    expect(map.get('absent')).toBeUndefined();
    expect(map.entries()).toEqual([]);
  });
});
