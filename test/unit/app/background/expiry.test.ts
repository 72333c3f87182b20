import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { expirySweeper } from '../../../../src/app/background/expiry.js';
import { recordingLog } from '../../../support/log.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
});

it('the expiry sweep runs when the next delivery expires, and at least every second, also after a failed run', async () => {
  const nexts: (number | undefined | Error)[] = [undefined, 300, 5_000, 0, new Error('away'), undefined];
  const looks: number[] = [];
  const expire = async () => {
    looks.push(Date.now());
    const next = nexts.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  const keyLooks: number[] = [];
  const endExpired = async () => void keyLooks.push(Date.now());
  const sweeper = expirySweeper({ expire }, { endExpired }, recordingLog());
  sweeper.start();
  await vi.advanceTimersByTimeAsync(5_500);
  await sweeper.stop();
  expect(looks).toEqual([1_000, 2_000, 2_302, 3_302, 3_304, 4_304, 5_304]);
  expect(keyLooks).toEqual(looks);
});
