import type { Pool } from 'pg';
import type { DeliveryErrorRecord } from '../../core/adapters/delivery-error.js';
import type { SecretBox } from '../../core/common/secret-box.js';
import type { Settings } from '../../core/platforms/configuration.js';
import type {
  ConfiguredConnection,
  ConnectionGeneration,
  ConnectionRuntime,
  HealthState,
  StateChange,
} from '../../core/platforms/ports.js';
import type { ConnectionStatus } from '../../core/platforms/states.js';
import { moveConnection } from '../calls.gen.js';
import { credentialsLocation } from './connections.js';

/** Lease of an ingress, unless it is renewed. After that, another process takes over from a dead owner. */
const LEASE_MS = 10_000;

// Milliseconds are rounded down, so that a time that was rounded up when it was stored does not count as remaining. A row may be
// locked for a long time, for example while its connection is removed with its pending deliveries. SKIP LOCKED keeps the other
// connections from waiting for it.
const HOLD = `
  WITH free AS (
    SELECT id FROM connections WHERE id = ANY ($1) AND (lease_owner = $2 OR leased_until IS NULL OR leased_until < now())
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), kept AS (
    UPDATE connections c SET lease_owner = $2, leased_until = now() + make_interval(secs => ${LEASE_MS / 1000})
    FROM free WHERE c.id = free.id RETURNING c.id, c.leased_until
  ), held AS (
    SELECT id, leased_until FROM kept
    UNION ALL SELECT id, leased_until FROM connections
    WHERE id = ANY ($1) AND lease_owner = $2 AND leased_until > now() AND id NOT IN (SELECT id FROM kept)
  ) SELECT id, floor(extract(epoch FROM leased_until - now()) * 1000)::int AS left_ms FROM held`;

/** Connections in PostgreSQL, for the processes that run them. */
export class PostgresConnectionRuntime implements ConnectionRuntime {
  constructor(
    private readonly pool: Pool,
    private readonly secrets: SecretBox,
  ) {}

  async enabled(): Promise<readonly Pick<ConnectionRow, 'id' | 'generation' | 'status'>[]> {
    const { rows } = await this.pool.query<Pick<ConnectionRow, 'id' | 'generation' | 'status'>>(
      'SELECT id, generation, status FROM connections WHERE enabled AND deleted_at IS NULL',
    );
    return rows;
  }

  async configured(id: string): Promise<ConfiguredConnection | undefined> {
    const { rows } = await this.pool.query<ConnectionRow>(
      `SELECT id, workspace_id, platform, generation, status, credentials, settings, paused_until FROM connections
       WHERE id = $1 AND deleted_at IS NULL`,
      [id],
    );
    return rows[0] === undefined ? undefined : this.#open(rows[0]);
  }

  async #open(row: ConnectionRow): Promise<ConfiguredConnection> {
    const credentials =
      row.credentials === null
        ? {}
        : (JSON.parse(
            await this.secrets.open(row.credentials, credentialsLocation(row.workspace_id, row.id)),
          ) as Record<string, unknown>);
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      platform: row.platform,
      generation: row.generation,
      status: row.status,
      credentials,
      settings: row.settings,
      pausedUntil: row.paused_until,
    };
  }

  async holdLeases(ids: readonly string[], owner: string): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<{ id: string; left_ms: number }>(HOLD, [ids, owner]);
    return new Map(rows.map((row) => [row.id, row.left_ms]));
  }

  async releaseLeases(owner: string): Promise<void> {
    // The notification lets another process take over at once.
    await this.pool.query(
      `WITH released AS (
         UPDATE connections SET lease_owner = NULL, leased_until = NULL WHERE lease_owner = $1 RETURNING 1)
       SELECT pg_notify('connections', '') WHERE EXISTS (SELECT FROM released)`,
      [owner],
    );
  }

  async releaseAllLeases(): Promise<void> {
    await this.pool.query(
      'UPDATE connections SET lease_owner = NULL, leased_until = NULL WHERE lease_owner IS NOT NULL',
    );
  }

  move(
    { id, generation }: ConnectionGeneration,
    from: readonly ConnectionStatus[],
    to: ConnectionStatus | null,
    health: HealthState,
    identity?: { external_id: string; handle: string | null; name: string | null },
    error?: DeliveryErrorRecord,
  ): Promise<boolean> {
    return moveConnection(this.pool, {
      connection: id,
      froms: from,
      target: to,
      newHealth: health,
      who: identity ?? null,
      problem: error ?? null,
      ofGeneration: generation,
    });
  }

  async loadState(id: string, name: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ value: string }>(
      'SELECT value FROM connection_state WHERE connection_id = $1 AND name = $2',
      [id, name],
    );
    return rows[0]?.value;
  }

  async saveState(id: string, name: string, value: string | null, maxNames: number): Promise<boolean> {
    if (value === null) {
      await this.pool.query('DELETE FROM connection_state WHERE connection_id = $1 AND name = $2', [
        id,
        name,
      ]);
      return true;
    }
    const { rowCount } = await this.pool.query(
      `INSERT INTO connection_state (connection_id, name, value) SELECT $1, $2, $3
       WHERE (SELECT count(*) FROM connection_state WHERE connection_id = $1 AND name <> $2) < $4
       ON CONFLICT (connection_id, name) DO UPDATE SET value = excluded.value, updated_at = now()`,
      [id, name, value, maxNames],
    );
    return rowCount === 1;
  }

  async replaceState(
    id: string,
    name: string,
    { expected, value }: StateChange,
    maxNames: number,
  ): Promise<'saved' | 'changed' | 'full'> {
    if (expected === null && value === null)
      return (await this.loadState(id, name)) === undefined ? 'saved' : 'changed';
    if (expected === null) return this.#addState(id, name, value, maxNames);
    // A statement that waited for another one compares the value that the other one left.
    const { rowCount } =
      value === null
        ? await this.pool.query(
            'DELETE FROM connection_state WHERE connection_id = $1 AND name = $2 AND value = $3',
            [id, name, expected],
          )
        : await this.pool.query(
            `UPDATE connection_state SET value = $4, updated_at = now()
             WHERE connection_id = $1 AND name = $2 AND value = $3`,
            [id, name, expected, value],
          );
    return rowCount === 1 ? 'saved' : 'changed';
  }

  async #addState(id: string, name: string, value: string | null, maxNames: number) {
    const { rows } = await this.pool.query<{ has_room: boolean; is_saved: boolean }>(
      `WITH names AS (
         SELECT count(*) < $4 AS has_room FROM connection_state WHERE connection_id = $1 AND name <> $2
       ), added AS (
         INSERT INTO connection_state (connection_id, name, value) SELECT $1, $2, $3 FROM names WHERE has_room
         ON CONFLICT (connection_id, name) DO NOTHING RETURNING 1
       ) SELECT has_room, EXISTS (SELECT FROM added) AS is_saved FROM names`,
      [id, name, value, maxNames],
    );
    if (rows[0]?.has_room !== true) return 'full' as const;
    return rows[0].is_saved ? ('saved' as const) : ('changed' as const);
  }
}

interface ConnectionRow {
  id: string;
  workspace_id: string;
  platform: string;
  generation: number;
  status: ConnectionStatus;
  credentials: Buffer | null;
  settings: Settings;
  paused_until: Date | null;
}
