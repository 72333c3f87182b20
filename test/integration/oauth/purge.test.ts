import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateOAuthCredential } from '../../../src/core/oauth/credentials.js';
import { PostgresOAuthGrants } from '../../../src/store/access/oauth-grants.js';
import { PostgresOAuthTokens } from '../../../src/store/access/oauth-tokens.js';
import { registerApp } from '../../support/oauth.js';
import { makeMember, values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let grants: PostgresOAuthGrants;
let tokens: PostgresOAuthTokens;
const workspaceId = uuidv7();
let userId: string;
let appId: string;

beforeAll(async () => {
  database = await testDatabase();
  grants = new PostgresOAuthGrants(database.pool);
  tokens = new PostgresOAuthTokens(database.pool);
  await database.pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, [workspaceId]);
  userId = await makeMember(database.pool, workspaceId, 'ada');
  const owner = { userId, cookie: '', csrfToken: '' };
  appId = (await registerApp({ database, workspaceId, owner })).id;
});
afterAll(() => database.drop());

async function grantWithTokens() {
  const [code, access, refresh] = (['code', 'access', 'refresh'] as const).map(
    (kind) => generateOAuthCredential(kind).hash,
  ) as [Buffer, Buffer, Buffer];
  const id = uuidv7();
  await grants.approve({
    id,
    workspaceId,
    appId,
    userId,
    scopes: ['user.read'],
    codeHash: code,
    redirectUri: 'https://a.example',
    codeChallenge: 'x',
  });
  expect(await tokens.redeemCode(code, appId, { access, refresh })).toBe(true);
  return { id, code, access, refresh };
}

it('old ended tokens are deleted; those that detect a second use stay', async () => {
  const alive = await grantWithTokens();
  const next = {
    access: generateOAuthCredential('access').hash,
    refresh: generateOAuthCredential('refresh').hash,
  };
  expect(await tokens.rotate(alive.refresh, appId, ['user.read'], next)).toBe(true);
  const over = await grantWithTokens();
  const { pool } = database;
  await pool.query(`UPDATE oauth_tokens SET expires_at = now() - interval '2 hours' WHERE hash = $1`, [
    alive.access,
  ]);
  await pool.query(`UPDATE oauth_grants SET live_until = now() - interval '2 days' WHERE id = $1`, [over.id]);
  await tokens.purge();
  expect(await values(pool, 'SELECT id FROM oauth_grants')).toEqual([alive.id]);
  const left = await values<Buffer>(pool, 'SELECT hash FROM oauth_tokens');
  expect(new Set(left.map(String))).toEqual(new Set([alive.refresh, next.access, next.refresh].map(String)));

  // The code and the rotated token are still known. Each ends the grant.
  expect(await tokens.rotate(alive.refresh, appId, ['user.read'], next)).toBe(false);
  expect(await tokens.findByHash(next.access)).toBeUndefined();
  expect(await tokens.redeemCode(alive.code, appId, next)).toBe(false);
});

it('a grant has no more tokens once it was revoked', async () => {
  const { id, access, refresh } = await grantWithTokens();
  expect(await tokens.findByHash(access)).toMatchObject({ userId, appId, environment: 'live' });
  await grants.revoke(id);
  await grants.revoke(id);
  expect(await tokens.findByHash(access)).toBeUndefined();
  expect(await tokens.findRefreshToken(refresh)).toBeUndefined();
  expect(await tokens.describe(refresh, appId)).toBeUndefined();
});
