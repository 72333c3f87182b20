import { beforeEach, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../../src/core/access/api-key-format.js';
import type { ApiKeyRecord } from '../../../../src/core/access/api-key-lookup.js';
import { isAddressAllowed } from '../../../../src/core/access/client-address.js';
import { LastUsed } from '../../../../src/core/access/last-used.js';
import { hourlyRateLimiter } from '../../../../src/core/access/rate-limit.js';
import { ApiKeyAuthenticator } from '../../../../src/core/authentication/api-key-authenticator.js';
import { callerWith, MemoryRequestCounts } from '../../../support/http.js';
import { recordingLog, silentLog } from '../../../support/log.js';

const { key, hash } = generateApiKey('live');
const record: ApiKeyRecord = {
  id: 'k1',
  workspaceId: 'w1',
  userId: 'u1',
  environment: 'live',
  scopes: ['messages:read'],
  rateLimit: 0,
  ipAllowlist: [],
  expiresAt: null,
  revokedAt: null,
  userStatus: 'active',
  userRole: 'owner',
  view: null,
  isGranted: false,
};

let now: number;
let stored: ApiKeyRecord | undefined;
let lookups: number;
let listening: boolean;
let uses: ReadonlyMap<string, Date>[];
let authenticator: ApiKeyAuthenticator;
let lastUsed: LastUsed;
const caller = (address = '203.0.113.5') => authenticator.authenticate(key, address);

beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  stored = record;
  lookups = 0;
  listening = true;
  uses = [];
  const keys = {
    findByHash: async (wanted: Buffer) => {
      lookups += 1;
      const found = wanted.equals(hash) ? stored : undefined;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return found;
    },
    markUsed: async (batch: ReadonlyMap<string, Date>) => void uses.push(batch),
  };
  lastUsed = new LastUsed(keys, silentLog);
  authenticator = new ApiKeyAuthenticator(keys, lastUsed, { now: () => now, listening: () => listening });
});

describe('a key in authentication', () => {
  it('becomes its caller, with one lookup for many requests', async () => {
    const callers = await Promise.all([caller(), caller(), caller()]);
    now += 29_000;
    expect(callers[0]).toMatchObject({
      workspaceId: 'w1',
      userId: 'u1',
      credential: { kind: 'api_key', id: 'k1' },
    });
    expect(await caller()).toEqual(callers[0]);
    expect(lookups).toBe(1);
    now += 2_000;
    await caller();
    expect(lookups).toBe(2);
  });

  it.each([
    ['owner', ['messages:read', 'platforms:write']],
    ['member', ['messages:read']],
    ['viewer', ['messages:read']],
  ] as const)('has those of its scopes that a user with the role %s can have', async (userRole, scopes) => {
    stored = { ...record, userRole, scopes: ['messages:read', 'platforms:write'] };
    expect([...((await caller())?.scopes ?? [])]).toEqual(scopes);
  });

  it('that is malformed never reaches the lookup', async () => {
    expect(await authenticator.authenticate(`${key}x`, '')).toBeUndefined();
    expect(lookups).toBe(0);
  });

  it('that is refused has its reason and id passed on for the log', async () => {
    const refusals: unknown[] = [];
    const ask = (sent: string, address = '203.0.113.5') =>
      authenticator.authenticate(sent, address, (refusal) => refusals.push(refusal));
    await ask(`${key}x`);
    await ask(generateApiKey('live').key);
    for (const change of [
      { revokedAt: new Date(0) },
      { expiresAt: new Date(Date.UTC(2026, 0, 1)) },
      { userStatus: 'suspended' },
      { ipAllowlist: ['10.0.0.0/8'] },
    ]) {
      stored = { ...record, ...change };
      authenticator.evictAll();
      await ask(key);
    }
    stored = record;
    authenticator.evictAll();
    expect(await ask(key)).toBeDefined();
    expect(refusals).toEqual([
      { reason: 'malformed' },
      { reason: 'unknown' },
      { reason: 'revoked', keyId: 'k1' },
      { reason: 'expired', keyId: 'k1' },
      { reason: 'user_inactive', keyId: 'k1' },
      { reason: 'address_not_allowed', keyId: 'k1' },
    ]);
  });

  it.each<[string, Partial<ApiKeyRecord> | undefined]>([
    ['unknown', undefined],
    ['revoked', { revokedAt: new Date(0) }],
    ['expired', { expiresAt: new Date(Date.UTC(2026, 0, 1)) }],
    ['of a suspended user', { userStatus: 'suspended' }],
    ['used from another address', { ipAllowlist: ['10.0.0.0/8'] }],
  ])('that is %s is refused', async (_, change) => {
    stored = change && { ...record, ...change };
    expect(await caller()).toBeUndefined();
  });

  it('that is unknown is looked up again after a second', async () => {
    stored = undefined;
    await caller();
    stored = record;
    expect(await caller()).toBeUndefined();
    now += 1_000;
    expect(await caller()).toBeDefined();
  });

  it('expires while it is cached', async () => {
    stored = { ...record, expiresAt: new Date(now + 500) };
    expect(await caller()).toBeDefined();
    now += 500;
    expect(await caller()).toBeUndefined();
  });

  it.each(['k1', 'u1'])('is removed from the cache when %s is evicted', async (id) => {
    await caller();
    stored = { ...record, revokedAt: new Date(now) };
    authenticator.evict(id);
    expect(await caller()).toBeUndefined();
  });

  it('that was read before an eviction is not cached after it', async () => {
    const reading = caller();
    stored = { ...record, revokedAt: new Date(now) };
    authenticator.evict('k1');
    await reading;
    expect(await caller()).toBeUndefined();
  });

  it('that is used after an eviction is read again, even if it is being read', async () => {
    const reading = caller();
    stored = { ...record, revokedAt: new Date(now) };
    authenticator.evict('k1');
    expect(await caller()).toBeUndefined();
    await reading;
    expect(await caller()).toBeUndefined();
    expect(lookups).toBe(2);
  });

  it('is cached for a second only while revocations can’t be received', async () => {
    listening = false;
    await caller();
    stored = { ...record, revokedAt: new Date(now) };
    now += 1_000;
    expect(await caller()).toBeUndefined();
  });

  it('is not cached longer because the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const found = async () => stored;
      const keys = { findByHash: found, markUsed: async () => undefined };
      const deaf = new ApiKeyAuthenticator(keys, lastUsed, { listening: () => false });
      stored = { ...record, expiresAt: null };
      expect(await deaf.authenticate(key, '')).toBeDefined();
      stored = { ...record, revokedAt: new Date(0) };
      vi.setSystemTime(Date.now() - 3_600_000);
      vi.advanceTimersByTime(1_000);
      expect(await deaf.authenticate(key, '')).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('has its time of use written in batches', async () => {
    await caller();
    await caller();
    expect(uses).toEqual([]);
    await lastUsed.flush();
    await lastUsed.flush();
    expect(uses).toEqual([new Map([['k1', new Date(now)]])]);
  });

  it('is accepted even if its time of use can’t be written', async () => {
    const log = recordingLog();
    const failing = new LastUsed({ markUsed: () => Promise.reject(new Error('away')) }, log);
    failing.note('k1', now);
    await failing.flush();
    expect(log.lines[0]?.event).toBe('key_usage.write_failed');
  });
});

describe('an allowlist', () => {
  it.each<[string, string[], boolean]>([
    ['203.0.113.5', [], true],
    ['203.0.113.5', ['203.0.113.0/24'], true],
    ['::ffff:203.0.113.5', ['203.0.113.0/24'], true],
    ['203.0.114.5', ['203.0.113.0/24', '2001:db8::/32'], false],
    ['2001:db8::1', ['203.0.113.0/24', '2001:db8::/32'], true],
    ['203.0.113.5', ['203.0.113.5'], true],
    ['203.0.113.5', ['nonsense'], false],
    ['', ['0.0.0.0/0'], false],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['8.1.2.3', ['010.0.0.0/8'], false],
  ])('%s in %j: %s', (address, cidrs, allowed) => {
    expect(isAddressAllowed(address, cidrs)).toBe(allowed);
  });
});

describe('the rate limit', () => {
  it('counts per credential and clock hour', async () => {
    let time = Date.UTC(2026, 0, 1, 10, 59, 59);
    const limit = hourlyRateLimiter(new MemoryRequestCounts(), () => time);
    const limited = callerWith([], { rateLimit: 2 });
    const reset = Date.UTC(2026, 0, 1, 11) / 1_000;
    expect(await limit(limited)).toEqual({ limit: 2, remaining: 1, reset, refused: false });
    expect(await limit(limited)).toEqual({ limit: 2, remaining: 0, reset, refused: false });
    expect(await limit(limited)).toEqual({ limit: 2, remaining: 0, reset, refused: true });
    expect(await limit({ ...limited, rateBucket: 'another' })).toMatchObject({ refused: false });
    time += 1_000;
    expect(await limit(limited)).toMatchObject({ remaining: 1, reset: reset + 3_600 });
  });

  it('counts a request in one hour, even if the clock advances during the request', async () => {
    let time = Date.UTC(2026, 0, 1, 10);
    const limit = hourlyRateLimiter(new MemoryRequestCounts(), () => time++);
    const limited = callerWith([], { rateLimit: 2 });
    expect(await limit(limited)).toMatchObject({ remaining: 1, reset: Date.UTC(2026, 0, 1, 11) / 1_000 });
    expect(await limit(limited)).toMatchObject({ remaining: 0 });
  });

  it('uses no storage for an unlimited caller', () => {
    const limit = hourlyRateLimiter({ take: () => Promise.reject(new Error('asked')) });
    expect(limit(callerWith([]))).toMatchObject({
      limit: 1_000_000_000,
      remaining: 1_000_000_000,
      refused: false,
    });
  });
});
