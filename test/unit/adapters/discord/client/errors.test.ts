import { DiscordAPIError, HTTPError } from '@discordjs/rest';
import { describe, expect, it } from 'vitest';
import { platformError } from '../../../../../adapters/discord/client/errors.js';

const sent = (status?: number) => ({ sent: true, write: true, ...(status === undefined ? {} : { status }) });
const refusal = (status: number, code: number, errors?: object) =>
  new DiscordAPIError(
    { code, message: 'as Discord says', ...(errors && { errors }) } as never,
    code,
    status,
    'POST',
    'https://discord.com/api/v10/channels/1/messages',
    { body: { content: 'private words' }, files: undefined },
  );
const failed = (code: string) =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) });

describe('Discord’s codes', () => {
  const tooLong = {
    content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer.' }] },
  };
  it.each([
    [404, 10003, undefined, { kind: 'rejected', reason: 'recipient_gone' }],
    [404, 10008, undefined, { kind: 'rejected', reason: 'edit_expired' }],
    [403, 50001, undefined, { kind: 'rejected', reason: 'forbidden' }],
    [403, 50013, undefined, { kind: 'rejected', reason: 'forbidden' }],
    [403, 50007, undefined, { kind: 'rejected', reason: 'blocked_by_recipient' }],
    [403, 50278, undefined, { kind: 'rejected', reason: 'recipient_gone' }],
    [403, 40007, undefined, { kind: 'rejected', reason: 'forbidden' }],
    [400, 50006, undefined, { kind: 'rejected', reason: 'content_rejected' }],
    [400, 50035, undefined, { kind: 'rejected', reason: 'content_rejected' }],
    [400, 50035, tooLong, { kind: 'rejected', reason: 'too_long' }],
    [400, 200000, undefined, { kind: 'rejected', reason: 'content_rejected' }],
    [400, 240000, undefined, { kind: 'rejected', reason: 'content_rejected' }],
    [413, 40005, undefined, { kind: 'rejected', reason: 'too_large' }],
    [400, 40003, undefined, { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'method' }],
    [400, 130000, undefined, { kind: 'rate_limited', retryAfterMs: 5_000, scope: 'account' }],
    [401, 0, undefined, { kind: 'unauthorized' }],
    [403, 50014, undefined, { kind: 'unauthorized' }],
    [400, 999999, undefined, { kind: 'rejected', reason: 'platform_error' }],
    [403, 999999, undefined, { kind: 'rejected', reason: 'forbidden' }],
  ] as const)(
    'map status %d and code %d to a problem, with nothing written',
    (status, code, errors, problem) => {
      const error = platformError(refusal(status, code, errors), sent(status));
      expect([error.problem, error.dispatched, error.code]).toEqual([problem, 'no', String(code || status)]);
    },
  );

  it('keep the content of the request out of the error', () => {
    const error = platformError(refusal(403, 50007), sent(403));
    expect(`${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toContain('private words');
  });
});

describe('certainty of a failed Discord call', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'])(
    'is complete when the connection was never made: %s',
    (code) => {
      const error = platformError(failed(code), sent());
      expect([error.dispatched, error.code]).toEqual(['no', code]);
    },
  );

  it.each(['ECONNRESET', 'UND_ERR_SOCKET', 'ETIMEDOUT', 'EPIPE'])(
    'is unknown after a connection error: %s',
    (code) => {
      expect(platformError(failed(code), sent())).toMatchObject({
        dispatched: 'unknown',
        problem: { kind: 'unavailable', cause: 'network' },
      });
    },
  );

  it('is unknown after a server error or timeout, except for reads and unsent requests', () => {
    const down = new HTTPError(503, 'Service Unavailable', 'POST', 'https://x', {
      body: undefined,
      files: undefined,
    });
    expect(platformError(down, sent(503)).dispatched).toBe('unknown');
    expect(platformError(refusal(408, 0), sent(408)).dispatched).toBe('unknown');
    expect(platformError(down, { sent: true, write: false, status: 503 }).dispatched).toBe('no');
    expect(platformError(failed('ECONNRESET'), { sent: false, write: true }).dispatched).toBe('no');
  });
});
