import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { toPlatformError } from '../../../../../adapters/slack/client/errors.js';
import { PlatformError } from '../../../../../src/contract/index.js';

const write = { writes: true, rateScope: 'chat' } as const;
const answered = (error: string) => toPlatformError(new WebAPIPlatformError({ ok: false, error }), write);

function broken(code: string): WebAPIRequestError {
  const cause = Object.assign(new Error('socket'), { code });
  return new WebAPIRequestError(new TypeError('fetch failed', { cause }));
}

describe('the mapping of Slack errors', () => {
  it.each([
    ['channel_not_found', { kind: 'rejected', reason: 'recipient_gone' }, 'no'],
    ['is_archived', { kind: 'rejected', reason: 'recipient_gone' }, 'no'],
    ['not_in_channel', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['no_permission', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['access_denied', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['team_access_not_granted', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['posting_to_channel_denied', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['slack_connect_blocked_file_type', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['slack_connect_file_upload_sharing_blocked', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['restricted_action_read_only_channel', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['messages_tab_disabled', { kind: 'rejected', reason: 'forbidden' }, 'no'],
    ['msg_too_long', { kind: 'rejected', reason: 'too_long' }, 'no'],
    ['no_text', { kind: 'rejected', reason: 'content_rejected' }, 'no'],
    ['edit_window_closed', { kind: 'rejected', reason: 'edit_expired' }, 'no'],
    ['invalid_auth', { kind: 'unauthorized' }, 'no'],
    ['account_inactive', { kind: 'unauthorized' }, 'no'],
    ['missing_scope', { kind: 'misconfigured' }, 'no'],
    ['org_login_required', { kind: 'misconfigured' }, 'no'],
    ['ratelimited', { kind: 'rate_limited', retryAfterMs: 30_000, scope: 'chat' }, 'no'],
    ['service_unavailable', { kind: 'unavailable', cause: 'platform_down' }, 'no'],
    ['internal_error', { kind: 'unavailable', cause: 'platform_down' }, 'unknown'],
    ['fatal_error', { kind: 'unavailable', cause: 'platform_down' }, 'unknown'],
    ['something_new', { kind: 'rejected', reason: 'platform_error' }, 'no'],
  ] as const)('maps %s and keeps the code', (code, problem, dispatched) => {
    const error = answered(code);
    expect(error.problem).toEqual(problem);
    expect(error.dispatched).toBe(dispatched);
    expect(error.code).toBe(code);
  });

  it('maps a page of a proxy to an outage', () => {
    expect(answered('<html>Bad gateway</html>')).toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched: 'unknown',
    });
  });

  it.each([
    ['ECONNREFUSED', 'no'],
    ['ENOTFOUND', 'no'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no'],
    ['ECONNRESET', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
  ])('derives from %s whether the request was dispatched', (code, dispatched) => {
    expect(toPlatformError(broken(code), write)).toMatchObject({
      problem: { cause: 'network' },
      dispatched,
      code,
    });
  });

  it('is uncertain after a timeout', () => {
    const timeout = new WebAPIRequestError(new DOMException('timed out', 'TimeoutError') as unknown as Error);
    expect(toPlatformError(timeout, write).dispatched).toBe('unknown');
  });

  it('is always certain about a read', () => {
    expect(toPlatformError(broken('ECONNRESET'), { ...write, writes: false }).dispatched).toBe('no');
  });

  it('passes on a refusal of the guarded fetch as it is', () => {
    const refusal = new PlatformError(
      { kind: 'misconfigured' },
      { dispatched: 'no', message: 'forbidden target' },
    );
    expect(toPlatformError(new WebAPIRequestError(refusal), write)).toBe(refusal);
  });

  it('maps statuses that Slack itself never sends', () => {
    expect(toPlatformError(new WebAPIHTTPError(503, '', {}, ''), write)).toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched: 'unknown',
    });
    expect(toPlatformError(new WebAPIHTTPError(404, '', {}, ''), write)).toMatchObject({
      problem: { kind: 'misconfigured' },
      code: 'http_404',
      dispatched: 'no',
    });
    expect(toPlatformError(new WebAPIHTTPError(413, '', {}, ''), write)).toMatchObject({
      problem: { kind: 'rejected', reason: 'too_large' },
      code: 'http_413',
      dispatched: 'no',
    });
  });

  it('uses the wait of the header', () => {
    expect(toPlatformError(new WebAPIRateLimitedError(12), write).problem).toEqual({
      kind: 'rate_limited',
      retryAfterMs: 12_000,
      scope: 'chat',
    });
  });
});
