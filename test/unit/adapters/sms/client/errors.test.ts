import { describe, expect, it } from 'vitest';
import { answerError, deliveryFailure, transportError } from '../../../../../adapters/sms/client/errors.js';
import { PlatformError } from '../../../../../src/contract/index.js';

describe('a refusal of Twilio', () => {
  it.each([
    [401, 20003, { kind: 'unauthorized' }],
    [400, 21211, { kind: 'rejected', reason: 'recipient_gone' }],
    [400, 21610, { kind: 'rejected', reason: 'opted_out' }],
    [400, 21910, { kind: 'rejected', reason: 'forbidden' }],
    [400, 21617, { kind: 'rejected', reason: 'too_long' }],
    [400, 21606, { kind: 'rejected', reason: 'forbidden' }],
    [400, 21408, { kind: 'rejected', reason: 'forbidden' }],
    [400, 21602, { kind: 'rejected', reason: 'content_rejected' }],
    [400, 21659, { kind: 'rejected', reason: 'forbidden' }],
    [400, 21703, { kind: 'rejected', reason: 'forbidden' }],
    [400, 21704, { kind: 'misconfigured' }],
    [429, 21611, { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' }],
    [429, undefined, { kind: 'rate_limited', retryAfterMs: 1_000, scope: 'account' }],
    [429, 30454, { kind: 'rate_limited', retryAfterMs: 900_000, scope: 'account' }],
    [429, 63038, { kind: 'rate_limited', retryAfterMs: 900_000, scope: 'account' }],
    [404, undefined, { kind: 'misconfigured' }],
    [400, 99999, { kind: 'rejected', reason: 'platform_error' }],
  ])('with status %d and code %s wrote nothing and means %o', (status, code, problem) => {
    const error = answerError({ status, ...(code === undefined ? {} : { code }) });
    expect(error.problem).toEqual(problem);
    expect(error.dispatched).toBe('no');
    expect(error.code).toBe(code === undefined ? `http_${status}` : String(code));
    expect(error.message).not.toBe('');
  });

  it('uses the wait that Twilio states', () => {
    const { problem } = answerError({ status: 429, code: 20429, retryAfterMs: 7_000 });
    expect(problem).toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each([500, 502, 503])('with status %d leaves open whether the message was written', (status) => {
    expect(answerError({ status })).toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched: 'unknown',
    });
  });
});

describe('a request without a response', () => {
  const failed = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

  it.each([
    ['ECONNREFUSED', 'no'],
    ['ENOTFOUND', 'no'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no'],
    ['ECONNRESET', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
    ['UND_ERR_HEADERS_TIMEOUT', 'unknown'],
  ])('that ended with %s was dispatched: %s', (code, dispatched) => {
    expect(transportError(failed(code))).toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched,
      code,
    });
  });

  it('inspects the failures of all addresses of a host', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const cause = new TypeError('fetch failed', { cause: new AggregateError([refused]) });
    expect(transportError(cause).dispatched).toBe('no');
  });

  it('may have been written when it timed out', () => {
    expect(transportError(new DOMException('late', 'TimeoutError')).dispatched).toBe('unknown');
  });

  it('keeps its error if the bridge itself refused it', () => {
    const refusal = new PlatformError({ kind: 'misconfigured' }, { dispatched: 'no', message: 'forbidden' });
    expect(transportError(refusal)).toBe(refusal);
  });
});

describe('a failed delivery', () => {
  it.each([
    [30003, 'recipient_gone'],
    [30004, 'blocked_by_recipient'],
    [30007, 'content_rejected'],
    [30034, 'forbidden'],
    [21610, 'opted_out'],
    [30001, 'platform_error'],
    [12345, 'platform_error'],
  ])('with code %d means %s', (code, reason) => {
    expect(deliveryFailure(code)).toMatchObject({ reason, code: String(code) });
  });

  it('without a code is a platform error', () => {
    expect(deliveryFailure(undefined)).toEqual({ reason: 'platform_error', message: expect.any(String) });
  });
});
