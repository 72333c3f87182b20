import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../../src/contract/clock.js';

const START = Date.UTC(2026, 0, 1);

describe('the clock of a process', () => {
  beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['Date', 'performance', 'setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('starts from the clock of the machine', () => {
    expect(new Clock().date()).toEqual(new Date(START));
  });

  it('is not affected when the clock of the machine jumps', () => {
    const clock = new Clock();
    vi.advanceTimersByTime(1_000);
    vi.setSystemTime(START + 3_600_000);
    expect(clock.now()).toBe(START + 1_000);
  });

  it('adopts the time of another clock', () => {
    const clock = new Clock();
    const beganAt = performance.now();
    vi.advanceTimersByTime(20);
    clock.agree(START - 3_600_000, beganAt, performance.now());
    expect(Math.abs(clock.now() - (START - 3_600_000))).toBeLessThanOrEqual(20);
  });

  it('keeps its time if the round trip took longer than the difference between the clocks', () => {
    const clock = new Clock();
    const beganAt = performance.now();
    vi.advanceTimersByTime(500);
    clock.agree(START + 200, beganAt, performance.now());
    expect(clock.now()).toBe(START + 500);
  });
});
