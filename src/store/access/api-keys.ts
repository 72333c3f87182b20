import type { Pool } from 'pg';
import type { ApiKeyLookup, ApiKeyRecord } from '../../core/access/api-key-lookup.js';
import type { Role } from '../../core/access/session-identity.js';
import { keyViewFingerprintSql } from '../calls.gen.js';

/** Channel for the ids of keys and users whose credentials are no longer valid. */
export const credentialsChannel = 'credentials';

const FIND = `
  SELECT k.id, k.workspace_id, k.user_id, k.environment, k.scopes, k.rate_limit, k.ip_allowlist, k.expires_at,
    k.revoked_at, u.status AS user_status, u.role AS user_role,
    k.conversation_ids IS NOT NULL AS granted,
    CASE WHEN u.own_teams_only OR k.conversation_ids IS NOT NULL THEN ${keyViewFingerprintSql('k')} END AS view
  FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.hash = $1`;

const MARK_USED = `
  UPDATE api_keys k SET last_used_at = u.used_at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, used_at)
  WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.used_at)`;

const INSERT = `
  INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, ip_allowlist, hash, hint,
    expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

// The notification is sent with the commit. From then on, no process may use its cached credentials.
const REVOKE = `
  WITH revoked AS (
    UPDATE api_keys SET revoked_at = now(), updated_at = now()
    WHERE workspace_id = ANY ($1) AND id = $2 AND revoked_at IS NULL RETURNING id
  )
  SELECT pg_notify('${credentialsChannel}', id::text) FROM revoked`;

const REVOKE_OF_USER = `
  WITH revoked AS (
    UPDATE api_keys SET revoked_at = now(), updated_at = now() WHERE user_id = $1 AND revoked_at IS NULL RETURNING id
  )
  SELECT pg_notify('${credentialsChannel}', $1::text) WHERE EXISTS (SELECT FROM revoked)`;

/** A key to store, without the key itself. */
export interface NewApiKey {
  readonly id: string;
  /** Workspace in which the key acts. For a test key, the test workspace. */
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly ipAllowlist: readonly string[];
  readonly hash: Buffer;
  readonly hint: string;
  readonly expiresAt: Date | null;
}

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly environment: 'live' | 'test';
  readonly scopes: string[];
  readonly rate_limit: number;
  readonly ip_allowlist: string[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly user_status: string;
  readonly user_role: Role | null;
  readonly view: string | null;
  readonly granted: boolean;
}

/** API keys in PostgreSQL. */
export class PostgresApiKeys implements ApiKeyLookup {
  constructor(private readonly pool: Pool) {}

  async findByHash(hash: Buffer): Promise<ApiKeyRecord | undefined> {
    const { rows } = await this.pool.query<Row>({ name: 'api_keys.find', text: FIND, values: [hash] });
    return rows[0] && toRecord(rows[0]);
  }

  async markUsed(uses: ReadonlyMap<string, Date>): Promise<void> {
    await this.pool.query(MARK_USED, [[...uses.keys()], [...uses.values()]]);
  }

  async insert(key: NewApiKey): Promise<void> {
    await this.pool.query(INSERT, [
      key.id,
      key.workspaceId,
      key.userId,
      key.name,
      key.environment,
      key.scopes,
      key.rateLimit,
      key.ipAllowlist,
      key.hash,
      key.hint,
      key.expiresAt,
    ]);
  }

  /**
   * Revokes a key in one of the workspaces (the live one and its test workspace). Resolves with whether an active key was found.
   */
  async revoke(workspaceIds: readonly string[], id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(REVOKE, [workspaceIds, id]);
    return rowCount === 1;
  }

  /** Revokes every key of a user who is suspended or deleted. */
  async revokeOfUser(userId: string): Promise<void> {
    await this.pool.query(REVOKE_OF_USER, [userId]);
  }
}

function toRecord(row: Row): ApiKeyRecord {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    userId: row.user_id,
    environment: row.environment,
    scopes: row.scopes,
    rateLimit: row.rate_limit,
    ipAllowlist: row.ip_allowlist,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    userStatus: row.user_status,
    userRole: row.user_role,
    view: row.view,
    isGranted: row.granted,
  };
}
