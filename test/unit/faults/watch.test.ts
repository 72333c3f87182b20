import { describe, expect, it } from 'vitest';
// @ts-expect-error The fault suite is plain JavaScript.
import { slopePerHour } from '../../../faults/rig/watch.mjs';

const MINUTE_MS = 60_000;

/** Samples of an hour, one per minute. */
function samples(mib: (minute: number) => number) {
  return Array.from({ length: 61 }, (_, minute) => ({ at: minute * MINUTE_MS, mib: mib(minute) }));
}

function slope(mib: (minute: number) => number): number {
  return slopePerHour(samples(mib), (sample: { mib: number }) => sample.mib);
}

describe('The growth of memory in an hour', () => {
  it('is relative to the memory of the process', () => {
    expect(slope((minute) => 200 + minute / 15)).toBeCloseTo(4 / 202, 5);
    expect(slope(() => 200)).toBe(0);
  });

  it('ignores a peak of a few minutes', () => {
    expect(slope((minute) => (minute === 56 || minute === 57 ? 290 : 200 + (minute % 3)))).toBe(0);
  });

  it('is detected despite periodic changes', () => {
    expect(slope((minute) => 200 + minute / 10 + 8 * Math.sin(minute))).toBeGreaterThan(0.02);
  });
});
