import { describe, expect, it } from 'vitest';
import { holdsStill } from '../../../../src/core/access/authorize.js';
import type { OAuthScope } from '../../../../src/core/access/scopes.js';
import { authenticateClient } from '../../../../src/core/authentication/authenticate.js';
import { callerWith } from '../../../support/http.js';

describe('the credentials of an open stream', () => {
  const caller = callerWith(['messages:read', 'calls:read']);
  const ofToken = (...scopes: OAuthScope[]) =>
    callerWith(['messages:read'], { oauthScopes: new Set(scopes), onlyOwnConversations: true });

  it('stay valid while all of their permissions stay', () => {
    expect(holdsStill(callerWith(['calls:read', 'messages:read', 'tv:read']), caller)).toBe(true);
    expect(holdsStill(ofToken('messages.read', 'calls.read'), ofToken('messages.read'))).toBe(true);
  });

  it('become invalid when they are revoked, belong to another user, or allow less', () => {
    expect(holdsStill(undefined, caller)).toBe(false);
    expect(holdsStill({ ...caller, userId: '019b76da-a800-7000-8000-0000000000e2' }, caller)).toBe(false);
    expect(holdsStill(callerWith(['messages:read']), caller)).toBe(false);
    expect(holdsStill(ofToken('messages.read'), ofToken('messages.read', 'calls.read'))).toBe(false);
  });
});

it('a token that is sent with a key is identified by its own id', async () => {
  const token = callerWith(['messages:read'], {
    credential: { kind: 'oauth', id: '019b76da-a800-7000-8000-0000000000f2' },
    oauthScopes: new Set<OAuthScope>(['messages.read']),
  });
  const authenticate = authenticateClient(
    async () => callerWith(['messages:read']),
    async () => token,
  );
  const sent = { address: '127.0.0.1', method: 'GET', header: () => undefined };
  const both = await authenticate({ ...sent, apiKey: 'key', authorization: 'Bearer token' });
  expect([both?.credential.kind, both?.tokenId]).toEqual(['api_key', token.credential.id]);
  const alone = await authenticate({ ...sent, apiKey: 'key', authorization: undefined });
  expect(alone?.tokenId).toBeUndefined();
});
