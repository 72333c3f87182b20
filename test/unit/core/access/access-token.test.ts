import { beforeEach, describe, expect, it } from 'vitest';
import type { AccessTokenRecord } from '../../../../src/core/access/access-token-lookup.js';
import { AccessTokenAuthenticator } from '../../../../src/core/authentication/access-token-authenticator.js';
import { generateOAuthCredential } from '../../../../src/core/oauth/credentials.js';

const APP = '019b76da-a800-7000-8000-0000000000a1';
const USER = '019b76da-a800-7000-8000-0000000000b1';
const { text, hash } = generateOAuthCredential('access');

let now: number;
let stored: AccessTokenRecord | undefined;
let lookups: number;
let authenticator: AccessTokenAuthenticator;

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  lookups = 0;
  stored = {
    id: 't1',
    appId: APP,
    workspaceId: 'w1',
    environment: 'live',
    userId: USER,
    view: null,
    role: 'member',
    scopes: ['messages.read', 'messages.write'],
    expiresAt: new Date(now + 3_600_000),
  };
  const tokens = {
    findByHash: async (wanted: Buffer) => {
      lookups += 1;
      return wanted.equals(hash) ? stored : undefined;
    },
  };
  authenticator = new AccessTokenAuthenticator(tokens, { now: () => now });
});

describe('an access token', () => {
  it('becomes its caller, limited to own conversations, with one lookup for many requests', async () => {
    const caller = await authenticator.authenticate(text);
    now += 29_000;
    expect(await authenticator.authenticate(text)).toEqual(caller);
    expect(lookups).toBe(1);
    expect(caller).toMatchObject({
      workspaceId: 'w1',
      userId: USER,
      credential: { kind: 'oauth', id: 't1' },
      rateLimit: 100,
      onlyOwnConversations: true,
    });
    expect([...(caller?.scopes ?? [])]).toEqual([
      'messages:read',
      'conversations:read',
      'messages:write',
      'messages:draft',
    ]);
    expect([...(caller?.oauthScopes ?? [])]).toEqual(['messages.read', 'messages.write']);
  });

  it('is counted with the other tokens of the app and user, and separately from other apps', async () => {
    const bucket = async () => (await authenticator.authenticate(text))?.rateBucket;
    const first = await bucket();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    const change = (record: Partial<AccessTokenRecord>) => {
      stored = { ...(stored as AccessTokenRecord), ...record };
      authenticator.evictAll();
    };
    change({ id: 't2' });
    expect(await bucket()).toBe(first);
    change({ appId: USER, userId: APP });
    expect(await bucket()).not.toBe(first);
  });

  it('expires at its time, also while it is cached', async () => {
    stored = { ...(stored as AccessTokenRecord), expiresAt: new Date(now + 1_000) };
    expect(await authenticator.authenticate(text)).toBeDefined();
    now += 1_000;
    expect(await authenticator.authenticate(text)).toBeUndefined();
  });

  it.each([['t1'], [USER]])('is removed from the cache when %s is evicted', async (id) => {
    await authenticator.authenticate(text);
    stored = undefined;
    authenticator.evict('t9');
    expect(await authenticator.authenticate(text)).toBeDefined();
    authenticator.evict(id);
    expect(await authenticator.authenticate(text)).toBeUndefined();
  });

  it('of another format reaches no lookup', async () => {
    for (const wrong of ['', 'tl_at_x', text.replace('tl_at_', 'tl_rt_'), `${text}x`])
      expect(await authenticator.authenticate(wrong)).toBeUndefined();
    expect(lookups).toBe(0);
  });

  it('of a viewer allows only reading', async () => {
    stored = { ...(stored as AccessTokenRecord), role: 'viewer' };
    const caller = await authenticator.authenticate(text);
    expect([...(caller?.oauthScopes ?? [])]).toEqual(['messages.read']);
    expect(caller?.scopes.has('messages:write')).toBe(false);
  });
});
