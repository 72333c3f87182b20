import type { Pool, PoolClient } from 'pg';
import { clock } from '../../contract/clock.js';
import { conflict } from '../../core/common/errors.js';
import type { SecretBox } from '../../core/common/secret-box.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ConnectionChange, ConnectionStore, NewConnection } from '../../core/platforms/ports.js';
import { type ConnectionRecord, connectionList } from '../../core/platforms/record.js';
import { changeConnection, connectionRecordSql, deleteConnection, restartConnection } from '../calls.gen.js';
import { inTransaction } from '../connection/transaction.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The connection';
const CONNECTION_LIMIT = 100;
const CONNECTING = { code: 'connecting', message: 'Connecting.', fix: null };
const DISABLED = { code: 'disabled', message: 'Switched off.', fix: null };
/** A repeated creation finds its connection, also one that was deleted since. */
const EXISTING = `SELECT ${connectionRecordSql('c')} AS record FROM connections c WHERE id = $1 AND workspace_id = $2`;

const connectionSource: ListSource = {
  table: 'connections',
  record: connectionRecordSql('connections'),
  where: 'deleted_at IS NULL',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    name: 'name',
    status: 'status',
    platform: 'platform',
  },
};

/** The place that a connection's credentials are sealed to. */
export function credentialsLocation(workspaceId: string, rowId: string) {
  return { workspaceId, rowId, field: 'credentials' };
}

/** Management of connections in PostgreSQL. */
export class PostgresConnections implements ConnectionStore {
  constructor(
    private readonly pool: Pool,
    private readonly secrets: SecretBox,
  ) {}

  async create(connection: NewConnection): Promise<ConnectionRecord> {
    const { id, workspaceId } = connection;
    const sealed = await this.#seal(connection.credentials, workspaceId, id);
    const health = {
      ...(connection.enabled ? CONNECTING : DISABLED),
      since: clock.date().toISOString(),
    };
    return inTransaction(this.pool, async (client) => {
      // Locks the workspace's row, so that concurrent creations count each other.
      await client.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
      const { rows: existing } = await client.query<{ record: ConnectionRecord }>(EXISTING, [
        id,
        workspaceId,
      ]);
      if (existing[0] !== undefined) return existing[0].record;
      await refuseAtLimit(client, workspaceId);
      const { rows } = await client.query<{ record: ConnectionRecord }>(
        `INSERT INTO connections (id, workspace_id, platform, name, enabled, status, health, settings, credentials,
           credentials_set, created_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${connectionRecordSql('connections')} AS record`,
        [
          id,
          workspaceId,
          connection.platform,
          connection.name,
          connection.enabled,
          connection.enabled ? 'connecting' : 'disabled',
          JSON.stringify(health),
          JSON.stringify(connection.settings),
          sealed,
          Object.keys(connection.credentials).sort(),
          connection.createdBy,
        ],
      );
      await client.query(`SELECT pg_notify('connections', $1)`, [id]);
      return only(rows).record;
    });
  }

  async find(workspaceId: string, id: string): Promise<ConnectionRecord | undefined> {
    const { rows } = await readIn<{ record: ConnectionRecord }>(this.pool, workspaceId, {
      text: `SELECT ${connectionRecordSql('c')} AS record FROM connections c
       WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  async all(workspaceId: string): Promise<readonly ConnectionRecord[]> {
    const { rows } = await readIn<{ record: ConnectionRecord }>(this.pool, workspaceId, {
      text: `SELECT ${connectionRecordSql('c')} AS record FROM connections c
       WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT ${CONNECTION_LIMIT}`,
      values: [workspaceId],
    });
    return rows.map(({ record }) => record);
  }

  list(
    workspaceId: string,
    platform: string | undefined,
    query: ListQuery,
  ): Promise<ListPage<ConnectionRecord>> {
    const conditions = platform === undefined ? [] : [{ sql: 'platform = $1', values: [platform] }];
    return listRecords(this.pool, connectionSource, connectionList, workspaceId, query, conditions);
  }

  async change(
    workspaceId: string,
    id: string,
    { credentials, ...patch }: ConnectionChange,
    mergedWith: number,
  ): Promise<ConnectionRecord | undefined> {
    const sealed = credentials === undefined ? null : await this.#seal(credentials, workspaceId, id);
    const names = credentials === undefined ? null : Object.keys(credentials).sort();
    const change = { workspace: workspaceId, connection: id, patch, sealed, names, mergedWith };
    const answer = await changeConnection(this.pool, change, WHAT);
    return 'stale' in answer ? undefined : answer.record;
  }

  async restart(workspaceId: string, id: string): Promise<ConnectionRecord> {
    return (await restartConnection(this.pool, { workspace: workspaceId, connection: id }, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await deleteConnection(this.pool, { workspace: workspaceId, connection: id }, WHAT);
  }

  async #seal(credentials: NewConnection['credentials'], workspaceId: string, id: string): Promise<Buffer> {
    const sealer = await this.secrets.sealer(workspaceId);
    return sealer.seal(JSON.stringify(credentials), credentialsLocation(workspaceId, id));
  }
}

async function refuseAtLimit(client: PoolClient, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ full: boolean }>(
    'SELECT count(*) >= $2 AS full FROM connections WHERE workspace_id = $1 AND deleted_at IS NULL',
    [workspaceId, CONNECTION_LIMIT],
  );
  if (rows[0]?.full !== true) return;
  throw conflict('limit_reached', `A workspace has at most ${CONNECTION_LIMIT} connections.`, {
    limit: CONNECTION_LIMIT,
  });
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}
