import { describe, expect, it } from 'vitest';
import { PollConflict } from '../../../../../adapters/telegram/ingress/poll-conflict.js';

/** Whether the conflict counts as lasting at each of these seconds. */
const at = (...seconds: number[]) => {
  const conflict = new PollConflict();
  return seconds.map((second) => conflict.lasts(second * 1000));
};

describe('a polling conflict', () => {
  it('counts as lasting after thirty seconds', () => {
    expect(at(0, 3, 12, 29, 30, 33)).toEqual([false, false, false, false, true, true]);
  });

  it('is over after a minute without a refusal', () => {
    expect(at(0, 60, 89, 90, 150)).toEqual([false, false, false, true, false]);
  });
});
