import { describe, expect, it } from 'vitest';
import { STEP_LIMIT_MS } from '../../../../src/core/deliveries/send/call-with-timeout.js';
import { isLarge, writeLimitMs } from '../../../../src/core/deliveries/send/write-limit.js';
import { deliveryTask } from '../../../support/delivery-task.js';

const MIB = 1024 * 1024;
const withFiles = (...sizes: (number | null)[]) =>
  deliveryTask({}, { attachments: sizes.map((size) => ({ size })) as never });

describe('the time limit of a write', () => {
  it('is the time for its files on a slow line in addition to the time of any write', () => {
    expect(writeLimitMs(withFiles())).toBe(STEP_LIMIT_MS);
    expect(writeLimitMs(withFiles(null))).toBe(STEP_LIMIT_MS);
    expect(writeLimitMs(withFiles(MIB))).toBe(STEP_LIMIT_MS + 4_000);
    expect(writeLimitMs(withFiles(25 * MIB, 25 * MIB))).toBe(STEP_LIMIT_MS + 200_000);
  });

  it('has a maximum, however large they are', () => {
    expect(writeLimitMs(withFiles(2_000 * MIB))).toBe(STEP_LIMIT_MS + 600_000);
  });

  it('is that of any write if nothing is uploaded', () => {
    expect(writeLimitMs({ ...withFiles(50 * MIB), operation: 'delete' })).toBe(STEP_LIMIT_MS);
    expect(writeLimitMs({ ...withFiles(50 * MIB), operation: 'reconcile' })).toBe(STEP_LIMIT_MS);
  });
});

it('a write counts as large if it takes more than a few seconds on a slow line', () => {
  expect([isLarge(withFiles()), isLarge(withFiles(MIB)), isLarge(withFiles(MIB, 1))]).toEqual([
    false,
    false,
    true,
  ]);
});
