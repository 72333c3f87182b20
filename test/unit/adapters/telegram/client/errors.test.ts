import { GrammyError, HttpError } from 'grammy';
import { describe, expect, it } from 'vitest';
import { platformErrorOf, UnexpectedResponse } from '../../../../../adapters/telegram/client/errors.js';
import { clock, PlatformError } from '../../../../../src/contract/index.js';

const answer = (error_code: number, description: string, parameters = {}) =>
  platformErrorOf(
    new GrammyError('Call failed!', { ok: false, error_code, description, parameters }, 'sendMessage', {
      text: 'private words',
    }),
    true,
  );

const network = (code: string) =>
  platformErrorOf(
    new HttpError('Network request failed!', new TypeError('fetch failed', { cause: { code } })),
    true,
  );

describe('a refusal of the Bot API', () => {
  it.each([
    [403, 'Forbidden: bot was blocked by the user', 'blocked_by_recipient'],
    [403, 'Forbidden: user is deactivated', 'recipient_gone'],
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'recipient_gone'],
    [403, 'Forbidden: bot is not a member of the channel chat', 'recipient_gone'],
    [403, 'Forbidden: the group chat was deleted', 'recipient_gone'],
    [403, "Forbidden: bot can't initiate conversation with a user", 'forbidden'],
    [403, "Forbidden: bot can't send messages to bots", 'unsupported'],
    [403, 'Forbidden: something new', 'forbidden'],
    [400, 'Bad Request: chat not found', 'recipient_gone'],
    [400, 'Bad Request: PEER_ID_INVALID', 'recipient_gone'],
    [400, 'Bad Request: message thread not found', 'recipient_gone'],
    [400, 'Bad Request: TOPIC_CLOSED', 'forbidden'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'forbidden'],
    [400, 'Bad Request: have no rights to send a message', 'forbidden'],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', 'forbidden'],
    [400, 'Bad Request: need administrator rights in the channel chat', 'forbidden'],
    [400, 'Bad Request: CHAT_ADMIN_REQUIRED', 'forbidden'],
    [400, 'Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN', 'forbidden'],
    [400, 'Bad Request: message is too long', 'too_long'],
    [400, 'Bad Request: message text is empty', 'content_rejected'],
    [400, "Bad Request: can't parse entities: Unsupported start tag", 'content_rejected'],
    [400, 'Bad Request: message to edit not found', 'edit_expired'],
    [400, "Bad Request: message can't be edited", 'edit_expired'],
    [400, "Bad Request: message can't be deleted for everyone", 'edit_expired'],
    [400, 'Bad Request: A_CODE_NOBODY_KNOWS', 'platform_error'],
    [404, 'Not Found: method not found', 'unsupported'],
    [413, 'Request Entity Too Large', 'too_large'],
  ])('%i "%s" is %s and was not sent', (status, description, reason) => {
    expect(answer(status, description)).toMatchObject({
      problem: { kind: 'rejected', reason },
      dispatched: 'no',
      code: `${status} ${description}`,
    });
  });

  it('is recognised as invalid credentials, even for a malformed token', () => {
    expect(answer(401, 'Unauthorized')).toMatchObject({
      problem: { kind: 'unauthorized' },
      dispatched: 'no',
    });
    expect(answer(404, 'Not Found')).toMatchObject({ problem: { kind: 'unauthorized' } });
  });

  it('contains the new id of a migrated chat', () => {
    expect(
      answer(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1001 }),
    ).toMatchObject({ problem: { kind: 'moved', toChatId: '-1001' }, dispatched: 'no' });
  });

  it('contains the wait of the response body', () => {
    expect(answer(429, 'Too Many Requests: retry after 7', { retry_after: 7 })).toMatchObject({
      problem: { kind: 'rate_limited', retryAfterMs: 7000, scope: 'chat' },
      dispatched: 'no',
    });
  });

  it('contains the wait that is quoted for one file of an album', () => {
    const inner = 'failed to send message #1 with the error message "Too Many Requests: retry after 8"';
    expect(answer(400, `Bad Request: ${inner}`)).toMatchObject({
      problem: { kind: 'rate_limited', retryAfterMs: 8000, scope: 'chat' },
      dispatched: 'no',
    });
  });

  it('is passed on if the address guard raised it', () => {
    const refused = new PlatformError(
      { kind: 'misconfigured' },
      { dispatched: 'no', message: 'The bridge may not connect to the address of the platform.' },
    );
    expect(platformErrorOf(new HttpError('Network request failed!', refused), true)).toBe(refused);
  });

  it('distinguishes the two conflicts and explains how to resolve each', () => {
    const poller = answer(409, 'Conflict: terminated by other getUpdates request');
    const webhook = answer(409, "Conflict: can't use getUpdates method while webhook is active");
    expect([poller.problem, webhook.problem]).toEqual([{ kind: 'misconfigured' }, { kind: 'misconfigured' }]);
    expect(poller.fix).toMatch(/revoke/);
    expect(webhook.message).toMatch(/webhook/);
  });
});

describe('certainty of a failed Telegram call', () => {
  it.each([
    ['ECONNREFUSED', 'no'],
    ['ENOTFOUND', 'no'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no'],
    ['ECONNRESET', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
  ])('%s: dispatched %s', (code, dispatched) => {
    expect(network(code)).toMatchObject({
      problem: { kind: 'unavailable', cause: 'network' },
      dispatched,
      code,
    });
  });

  it('is unknown after a timeout and after a 5xx', () => {
    const timeout = new HttpError('x', new Error("Request to 'sendMessage' timed out after 15 seconds"));
    expect(platformErrorOf(timeout, true)).toMatchObject({ dispatched: 'unknown' });
    expect(answer(500, 'Internal Server Error')).toMatchObject({
      problem: { kind: 'unavailable', cause: 'platform_down' },
      dispatched: 'unknown',
    });
  });

  it.each([
    [502, null, { kind: 'unavailable', cause: 'platform_down' }, 'unknown'],
    [408, null, { kind: 'unavailable', cause: 'platform_down' }, 'unknown'],
    [429, '12', { kind: 'rate_limited', retryAfterMs: 12000, scope: 'chat' }, 'no'],
    [429, null, { kind: 'rate_limited', retryAfterMs: 5000, scope: 'chat' }, 'no'],
    [403, null, { kind: 'rejected', reason: 'forbidden' }, 'no'],
  ])('maps a %i of a proxy before the Bot API', (status, retryAfter, problem, dispatched) => {
    expect(
      platformErrorOf(new HttpError('x', new UnexpectedResponse(status, retryAfter)), true),
    ).toMatchObject({
      problem,
      dispatched,
    });
  });
});

it("a proxy's Retry-After date becomes the wait", () => {
  const until = new Date(clock.now() + 60_000).toUTCString();
  const { problem } = platformErrorOf(new HttpError('x', new UnexpectedResponse(429, until)), true);
  expect(problem.kind === 'rate_limited' && problem.retryAfterMs).toBeGreaterThan(50_000);
  expect(platformErrorOf(new HttpError('x', new UnexpectedResponse(429, '')), true)).toMatchObject({
    problem: { kind: 'rate_limited', retryAfterMs: 5_000 },
  });
});

it('an error never contains the message text or the request address', () => {
  const refused = answer(400, 'Bad Request: chat not found');
  const unreachable = platformErrorOf(
    new HttpError('x', new TypeError('Failed to parse URL from http://x/bot1:TOKEN/getMe')),
    true,
  );
  for (const error of [refused, unreachable]) {
    const everything = `${error.message} ${error.stack} ${error.fix} ${error.code} ${String(error.cause)}`;
    expect(everything).not.toMatch(/private words|TOKEN/);
  }
});
