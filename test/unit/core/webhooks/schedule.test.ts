import { describe, expect, it } from 'vitest';
import { askedWaitMs, delayBeforeNextTry, tryDelaysMs } from '../../../../src/core/webhooks/schedule.js';
import { type TryContext, toAttempt, verdictOf } from '../../../../src/core/webhooks/verdict.js';

const hour = 3_600_000;
const now = new Date('2026-01-01T00:00:00Z');

describe('the schedule', () => {
  it('has 10 attempts over 75 h 35 min 5 s', () => {
    expect(tryDelaysMs).toHaveLength(10);
    expect(tryDelaysMs.reduce((sum, each) => sum + each, 0)).toBe(75 * hour + 35 * 60_000 + 5_000);
  });

  it('spreads each wait by a tenth to both sides', () => {
    expect(delayBeforeNextTry(1, 0, 0)).toBe(4_500);
    expect(delayBeforeNextTry(1, 0, 0.5)).toBe(5_000);
    expect(delayBeforeNextTry(1, 0, 0.999999)).toBe(5_500);
    expect(delayBeforeNextTry(9, 0, 0.5)).toBe(24 * hour);
    expect(delayBeforeNextTry(10, 0, 0.5)).toBeUndefined();
  });

  it('waits longer if the receiver asks for it, but at most a day, and never shorter', () => {
    expect(delayBeforeNextTry(1, 60_000, 0.5)).toBe(60_000);
    expect(delayBeforeNextTry(1, 48 * hour, 0.5)).toBe(24 * hour);
    expect(delayBeforeNextTry(2, 1_000, 0.5)).toBe(300_000);
  });

  it.each([
    [429, '120', 120_000],
    [503, '0', 0],
    [502, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    [504, 'Wed, 31 Dec 2025 00:01:00 GMT', 0],
    [503, 'soon', 0],
    [503, '-5', 0],
    [500, '120', 0],
    [429, undefined, 0],
  ])('reads Retry-After of %i %j as %i ms', (status, value, expected) => {
    expect(askedWaitMs(status, value, now)).toBe(expected);
  });
});

describe('judge', () => {
  const context: TryContext = { event: 'call.ended', tries: 1, now, random: 0.5 };

  it.each([200, 201, 204, 299])('treats %i as success', (status) => {
    expect(verdictOf({ status }, context)).toEqual({ status: 'succeeded', gone: false });
  });

  it.each([
    { status: 301 },
    { status: 404 },
    { status: 500 },
    { problem: 'timeout' as const },
    { problem: 'forbidden_target' as const },
  ])('retries %j', (outcome) => {
    expect(verdictOf(outcome, context)).toEqual({ status: 'pending', retryInMs: 5_000, gone: false });
  });

  it('gives up after the last attempt, after 410, and after a failed test', () => {
    expect(verdictOf({ status: 500 }, { ...context, tries: 9 }).status).toBe('pending');
    expect(verdictOf({ status: 500 }, { ...context, tries: 10 })).toEqual({ status: 'dead', gone: false });
    expect(verdictOf({ status: 410 }, context)).toEqual({ status: 'dead', gone: true });
    expect(verdictOf({ status: 500 }, { ...context, event: 'webhook.test' })).toEqual({
      status: 'dead',
      gone: false,
    });
  });

  it('records the outcome as an attempt', () => {
    const at = now.toISOString();
    expect(toAttempt({ status: 204 }, now, 12.4)).toEqual({
      at,
      status_code: 204,
      duration_ms: 12,
      error: null,
    });
    expect(toAttempt({ status: 301 }, now, 1)).toMatchObject({ status_code: 301, error: 'http_status' });
    expect(toAttempt({ problem: 'tls' }, now, 1)).toMatchObject({ status_code: null, error: 'tls' });
  });
});
