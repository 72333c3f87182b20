import type { Pool, PoolClient } from 'pg';
import { newId } from '../../core/common/new-id.js';
import type { ChangeWorkspaceBody } from '../../core/workspaces/bodies.js';
import type { ListedKey, NewApiKey, NewOwner, WorkspaceStore } from '../../core/workspaces/ports.js';
import type { WorkspaceRecord } from '../../core/workspaces/record.js';
import {
  changeWorkspace,
  createWorkspace,
  endSessionsSql,
  setPasswords,
  testUserSql,
  userRecordSql,
  workspaceRecordSql,
} from '../calls.gen.js';
import { inTransaction } from '../connection/transaction.js';
import { readIn } from '../connection/workspace-reads.js';

/** Serializes the first starts of several processes on one database. */
const BOOTSTRAP_LOCK = 7_305_801;

const RESET_SECOND_STEP = `
  WITH reset AS (
    DELETE FROM second_steps WHERE enabled_at IS NOT NULL
      AND user_id IN (SELECT id FROM users WHERE lower(email) = lower($1) AND deleted_at IS NULL)
    RETURNING user_id
  )
  SELECT ${endSessionsSql('ARRAY(SELECT s.id FROM sessions s JOIN reset r USING (user_id))')}
  WHERE EXISTS (SELECT FROM reset)`;

/** Workspaces, owners and keys in PostgreSQL. */
export class PostgresWorkspaces implements WorkspaceStore {
  constructor(private readonly pool: Pool) {}

  async bootstrap(name: string, owner: NewOwner, key: NewApiKey | undefined): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
      const { rowCount } = await client.query('SELECT 1 FROM users LIMIT 1');
      if (rowCount !== 0) return false;
      const { userId } = await insertWorkspace(client, name, owner);
      if (key !== undefined) await insertKey(client, { ...key, userId });
      return true;
    });
  }

  async hasUsers(): Promise<boolean> {
    const { rowCount } = await this.pool.query('SELECT 1 FROM users LIMIT 1');
    return rowCount !== 0;
  }

  async create(name: string, owner: NewOwner): Promise<string> {
    return inTransaction(
      this.pool,
      async (client) => (await insertWorkspace(client, name, owner)).workspaceId,
    );
  }

  async find(id: string): Promise<WorkspaceRecord | undefined> {
    const { rows } = await readIn<{ record: WorkspaceRecord }>(this.pool, id, {
      text: `SELECT ${workspaceRecordSql('w')} AS record FROM workspaces w WHERE id = $1`,
      values: [id],
    });
    return rows[0]?.record;
  }

  /** The ids of the live workspaces with this name. */
  async idsOfName(name: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT id FROM workspaces WHERE name = $1 AND live_workspace_id IS NULL ORDER BY id LIMIT 10',
      [name],
    );
    return rows.map(({ id }) => id);
  }

  /** The ids of the live workspaces, oldest first. */
  async liveIds(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT id FROM workspaces WHERE live_workspace_id IS NULL ORDER BY id LIMIT $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  async change(id: string, patch: ChangeWorkspaceBody): Promise<WorkspaceRecord> {
    const input = { workspace_id: id, patch };
    return (await changeWorkspace(this.pool, input, 'The workspace')).record;
  }

  async findMember(email: string): Promise<{ userId: string; workspaceId: string } | undefined> {
    const { rows } = await this.pool.query<{ userId: string; workspaceId: string }>(
      `SELECT u.id AS "userId", w.id AS "workspaceId" FROM users u JOIN workspaces w ON w.id = u.workspace_id
       WHERE lower(u.email) = lower($1) AND u.kind = 'member' AND u.deleted_at IS NULL AND w.live_workspace_id IS NULL
       ORDER BY u.created_at LIMIT 1`,
      [email],
    );
    return rows[0];
  }

  async listKeys(email: string | undefined): Promise<readonly ListedKey[]> {
    const { rows } = await this.pool.query<ListedKey>(
      `SELECT k.id, k.name, w.name AS workspace, coalesce(nullif(u.email, ''), nullif(owner.email, '')) AS email, k.environment,
              k.hint, k.scopes, k.rate_limit AS "rateLimit", k.created_at AS "createdAt", k.expires_at AS "expiresAt",
              k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt"
       FROM api_keys k JOIN users u ON u.id = k.user_id JOIN workspaces w ON w.id = k.workspace_id
       LEFT JOIN users owner ON owner.id = u.live_user_id
       WHERE $1::text IS NULL OR lower(coalesce(nullif(u.email, ''), owner.email)) = lower($1)
       ORDER BY k.created_at DESC, k.id DESC`,
      [email ?? null],
    );
    return rows;
  }

  async hasKey(hash: Buffer): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `SELECT 1 FROM api_keys WHERE hash = $1 AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > now())`,
      [hash],
    );
    return rowCount !== 0;
  }

  async webhooksOfKey(id: string): Promise<readonly { id: string; url: string }[]> {
    const { rows } = await this.pool.query<{ id: string; url: string }>(
      `SELECT id, url FROM webhooks WHERE created_by_key = $1 AND status = 'enabled' AND deleted_at IS NULL ORDER BY id`,
      [id],
    );
    return rows;
  }

  async revokeKey(id: string, keepWebhooks: boolean): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH revoked AS (
         UPDATE api_keys SET revoked_at = now(), keeps_webhooks = $2, updated_at = now()
         WHERE id = $1 AND revoked_at IS NULL RETURNING id
       ) SELECT pg_notify('credentials', id::text) FROM revoked`,
      [id, keepWebhooks],
    );
    return rowCount === 1;
  }

  async setPassword(email: string, passwordHash: string): Promise<boolean> {
    return Number(await setPasswords(this.pool, { address: email, hash: passwordHash })) > 0;
  }

  async resetSecondStep(email: string): Promise<boolean> {
    return ((await this.pool.query(RESET_SECOND_STEP, [email])).rowCount ?? 0) > 0;
  }
}

async function insertWorkspace(
  client: PoolClient,
  name: string,
  owner: NewOwner,
): Promise<{ workspaceId: string; userId: string }> {
  const workspaceId = newId();
  const userId = newId();
  await createWorkspace(client, { workspace: workspaceId, named: name });
  await client.query(
    `INSERT INTO users (id, workspace_id, kind, role, operator, username, display_name, email, password_hash)
     VALUES ($1, $2, 'member', 'owner', $3, $4, $5, $6, $7)`,
    [userId, workspaceId, owner.operator, owner.username, owner.displayName, owner.email, owner.passwordHash],
  );
  await client.query(
    `INSERT INTO events (workspace_id, type, data) SELECT workspace_id, 'user.created', ${userRecordSql('users')}
     FROM users WHERE id = $1`,
    [userId],
  );
  return { workspaceId, userId };
}

async function insertKey(client: PoolClient, key: NewApiKey): Promise<string> {
  const user = key.environment === 'test' ? testUserSql('$2') : '(SELECT users FROM users WHERE id = $2)';
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, hash, hint)
     SELECT $1, (u).workspace_id, (u).id, $3, $4, $5, $6, $7, $8 FROM (SELECT ${user} AS u) x RETURNING id`,
    [newId(), key.userId, key.name, key.environment, key.scopes, key.rateLimit, key.hash, key.hint],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The key was not stored.');
  return row.id;
}
