import { RateLimitError } from '@discordjs/rest';
import { describe, expect, it } from 'vitest';
import { platformError } from '../../../../../adapters/discord/client/errors.js';

/** The problem that a 429 with these waits of the SDK becomes. */
function waitOf(retryAfter: number, sublimitTimeout = 0): unknown {
  const told = { retryAfter, sublimitTimeout, global: false, majorParameter: '1' };
  const error = new RateLimitError(told as ConstructorParameters<typeof RateLimitError>[0]);
  return platformError(error, {} as Parameters<typeof platformError>[1]).problem;
}

describe('the wait after a 429 of Discord', () => {
  it('is the longest of the stated waits', () => {
    expect(waitOf(1_200.5)).toMatchObject({ kind: 'rate_limited', retryAfterMs: 1_201 });
    expect(waitOf(1_000, 4_000)).toMatchObject({ retryAfterMs: 4_000 });
  });

  it('is a default if the response states none or an invalid one', () => {
    for (const told of [0, -5_000, Number.NaN]) expect(waitOf(told)).toMatchObject({ retryAfterMs: 5_000 });
  });
});

describe('the scope of a 429 of Discord', () => {
  const told = { retryAfter: 1_000, sublimitTimeout: 0, global: false, majorParameter: '1' };
  const limited = new RateLimitError(told as ConstructorParameters<typeof RateLimitError>[0]);
  const scopeOf = (headers: Record<string, string>) =>
    platformError(limited, { sent: true, write: true, status: 429, headers: new Headers(headers) }).problem;

  it.each(['user', 'shared'])('is the chat if Discord states the scope %s', (scope) => {
    expect(scopeOf({ 'x-ratelimit-scope': scope })).toMatchObject({ scope: 'chat' });
  });

  it('is the account if the response is not from Discord, because the address is blocked', () => {
    expect(scopeOf({ 'content-type': 'text/html' })).toMatchObject({ scope: 'account' });
    expect(scopeOf({})).toMatchObject({ scope: 'account' });
  });

  it('is the chat if a response in JSON does not state it', () => {
    expect(scopeOf({ 'content-type': 'application/json' })).toMatchObject({ scope: 'chat' });
  });

  it('is the chat if the SDK predicts the limit', () => {
    expect(platformError(limited, { sent: false, write: true }).problem).toMatchObject({ scope: 'chat' });
  });
});
