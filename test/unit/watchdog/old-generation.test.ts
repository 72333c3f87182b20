import { getHeapStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { heapLimits, oldGenerationLimit, oldGenerationUsed } from '../../../src/watchdog/old-generation.js';

const MIB = 1_048_576;

it.each([
  { options: ['--max-semi-space-size=8'], young: 24 * MIB },
  { options: ['--max_semi_space_size', '16'], young: 48 * MIB },
  { options: ['--max-old-space-size=256'], young: undefined },
])('The options $options set the size of the young generation to $young bytes.', ({ options, young }) => {
  expect(heapLimits(options).young).toBe(young);
});

it('The limit of the old generation is the limit of the heap without the young generation.', () => {
  expect(oldGenerationLimit({ whole: 280 * MIB, young: 24 * MIB })).toBe(256 * MIB);
});

it('The used part of the old generation is more than zero and at most about the used heap.', () => {
  const kept = Array.from({ length: 200_000 }, (_, i) => ({ i }));
  expect(oldGenerationUsed()).toBeGreaterThan(0);
  expect(oldGenerationUsed()).toBeLessThanOrEqual(getHeapStatistics().used_heap_size + 64 * MIB);
  expect(kept).toHaveLength(200_000);
});
