import type { Pool } from 'pg';

/** An enabled connection that is not connected or lacks something, as the running service recorded it. */
export interface TroubledConnection {
  readonly id: string;
  readonly workspace: string;
  readonly platform: string;
  readonly name: string;
  readonly status: 'connecting' | 'connected' | 'degraded' | 'error';
  readonly health: { readonly message: string; readonly fix: string | null };
}

/** A webhook that the service disabled, or whose endpoint fails. */
export interface TroubledWebhook {
  readonly id: string;
  readonly workspace: string;
  readonly url: string;
  readonly status: 'enabled' | 'auto_disabled';
  readonly disabled_reason: string | null;
}

/** The first troubled rows, those in error first, and the numbers of working and troubled rows. */
export interface Troubles<Row> {
  readonly working: number;
  readonly troubled: number;
  readonly first: readonly Row[];
}

const CONNECTIONS = `
  SELECT c.id, w.name AS workspace, c.platform, c.name, c.status, c.health, works,
    count(*) FILTER (WHERE works) OVER ()::int AS working, count(*) OVER ()::int AS every
  FROM connections c JOIN workspaces w ON w.id = c.workspace_id,
    LATERAL (SELECT c.status = 'connected' AND c.health->>'fix' IS NULL) state(works)
  WHERE c.enabled AND c.deleted_at IS NULL
  ORDER BY works, c.status <> 'error', c.created_at LIMIT $1`;

const WEBHOOKS = `
  SELECT h.id, w.name AS workspace, h.url, h.status, h.disabled_reason,
    count(*) FILTER (WHERE h.status = 'enabled' AND h.failing_since IS NULL) OVER ()::int AS working,
    count(*) OVER ()::int AS every, h.status = 'enabled' AND h.failing_since IS NULL AS works
  FROM webhooks h JOIN workspaces w ON w.id = h.workspace_id
  WHERE h.deleted_at IS NULL AND h.status <> 'disabled'
  ORDER BY works, h.status = 'enabled', h.created_at LIMIT $1`;

interface Counted {
  readonly working: number;
  readonly every: number;
}

export async function readConnectionTroubles(
  pool: Pool,
  limit: number,
): Promise<Troubles<TroubledConnection>> {
  const { rows } = await pool.query<TroubledConnection & Counted & { works: boolean }>(CONNECTIONS, [limit]);
  return troublesOf(rows, ({ works }) => !works);
}

export async function readWebhookTroubles(pool: Pool, limit: number): Promise<Troubles<TroubledWebhook>> {
  const { rows } = await pool.query<TroubledWebhook & Counted & { works: boolean }>(WEBHOOKS, [limit]);
  return troublesOf(rows, ({ works }) => !works);
}

/** Whether this installation has had any call. */
export async function hasCalls(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ used: boolean }>('SELECT EXISTS (SELECT FROM calls) AS used');
  return rows[0]?.used === true;
}

function troublesOf<Row extends Counted>(
  rows: readonly Row[],
  isTroubled: (row: Row) => boolean,
): Troubles<Row> {
  const { working = 0, every = 0 } = rows[0] ?? {};
  return { working, troubled: every - working, first: rows.filter(isTroubled) };
}
