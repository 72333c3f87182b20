import type { Pool } from 'pg';
import type { AccessTokenLookup, AccessTokenRecord } from '../../core/access/access-token-lookup.js';
import type { OAuthScope } from '../../core/access/scopes.js';
import { lifetimes } from '../../core/oauth/credentials.js';
import type { OAuthTokens, Redeemable, StoredCode, TokenHashes, TokenState } from '../../core/oauth/ports.js';
import {
  memberViewFingerprintSql,
  purgeOauth,
  redeemOauthCode,
  revokeOauthToken,
  rotateOauthToken,
} from '../calls.gen.js';

// Codes and tokens are valid only while their grant is not revoked and its user is active.
const HOLDS = `g.revoked_at IS NULL AND EXISTS (
  SELECT 1 FROM users u WHERE u.id = g.user_id AND u.status = 'active' AND u.deleted_at IS NULL)`;

const FIND_CODE = `
  SELECT g.id AS "grantId", a.client_id AS "clientId", g.user_id AS "userId", g.scopes, g.code_expires_at AS "expiresAt",
    g.code_used_at IS NOT NULL AS used, g.redirect_uri AS "redirectUri", g.code_challenge AS "codeChallenge"
  FROM oauth_grants g JOIN oauth_apps a ON a.id = g.app_id
  WHERE g.code_hash = $1 AND ${HOLDS}`;

/** The scopes of a token that its app still has, in the order of the token. */
const HELD =
  'ARRAY(SELECT s FROM unnest(t.scopes) WITH ORDINALITY AS x (s, n) WHERE s = ANY (a.scopes) ORDER BY n)';

const FIND_REFRESH = `
  SELECT g.id AS "grantId", a.client_id AS "clientId", g.user_id AS "userId", ${HELD} AS scopes, t.expires_at AS "expiresAt",
    t.used_at IS NOT NULL AS used
  FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_apps a ON a.id = g.app_id
  WHERE t.hash = $1 AND t.kind = 'refresh' AND ${HOLDS}`;

const FIND_ACCESS = `
  SELECT t.id, a.id AS "appId", t.workspace_id AS "workspaceId", g.user_id AS "userId", u.role,
    CASE WHEN u.own_teams_only THEN ${memberViewFingerprintSql('u.id')} END AS view,
    CASE WHEN w.live_workspace_id IS NULL THEN 'live' ELSE 'test' END AS environment,
    ${HELD} AS scopes, t.expires_at AS "expiresAt"
  FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_apps a ON a.id = g.app_id
    JOIN users u ON u.id = g.user_id JOIN workspaces w ON w.id = t.workspace_id
  WHERE t.hash = $1 AND t.kind = 'access' AND t.expires_at > now() AND ${HOLDS}`;

const DESCRIBE = `
  SELECT t.kind, ${HELD} AS scopes, g.user_id AS "userId", t.expires_at AS "expiresAt", t.created_at AS "issuedAt"
  FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_apps a ON a.id = g.app_id
  WHERE t.hash = $1 AND g.app_id = $2 AND t.used_at IS NULL AND t.expires_at > now() AND ${HOLDS}`;

const LIVES = {
  accessLife: `${lifetimes.accessSeconds} seconds`,
  idleLife: `${lifetimes.refreshIdleSeconds} seconds`,
  wholeLife: `${lifetimes.grantSeconds} seconds`,
} as const;

/** Codes and tokens in PostgreSQL. Each use is one function of the database. */
export class PostgresOAuthTokens implements OAuthTokens, AccessTokenLookup {
  constructor(private readonly pool: Pool) {}

  findByHash(hash: Buffer): Promise<AccessTokenRecord | undefined> {
    return this.first<AccessTokenRecord>(FIND_ACCESS, [hash]);
  }

  findCode(hash: Buffer): Promise<StoredCode | undefined> {
    return this.first<StoredCode>(FIND_CODE, [hash]);
  }

  redeemCode(hash: Buffer, appId: string, { access, refresh }: TokenHashes): Promise<boolean> {
    return redeemOauthCode(this.pool, { code: hash, app: appId, access, refresh, ...LIVES });
  }

  findRefreshToken(hash: Buffer): Promise<Redeemable | undefined> {
    return this.first<Redeemable>(FIND_REFRESH, [hash]);
  }

  rotate(
    hash: Buffer,
    appId: string,
    scopes: readonly OAuthScope[],
    { access, refresh }: TokenHashes,
  ): Promise<boolean> {
    const issued = { access, accessScopes: scopes, refresh, ...LIVES };
    return rotateOauthToken(this.pool, { old: hash, app: appId, ...issued });
  }

  describe(hash: Buffer, appId: string): Promise<TokenState | undefined> {
    return this.first<TokenState>(DESCRIBE, [hash, appId]);
  }

  revoke(hash: Buffer, appId: string): Promise<void> {
    return revokeOauthToken(this.pool, { token: hash, app: appId });
  }

  purge(): Promise<void> {
    return purgeOauth(this.pool);
  }

  private async first<Row extends object>(text: string, values: unknown[]): Promise<Row | undefined> {
    const { rows } = await this.pool.query<Row>(text, values);
    return rows[0];
  }
}
