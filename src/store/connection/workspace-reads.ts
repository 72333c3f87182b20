import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Log } from '../../core/common/log.js';
import { openToMembers } from '../calls.gen.js';
import type { Caller } from './function-calls.js';

/** The role that sees the rows of one workspace. */
export const memberRole = 'trunkline_member';

// A role of the server, not of the database: it may be there and not be ours to take.
const MAY_TAKE_ROLE = `
  SELECT pg_has_role(current_user, r.oid, CASE WHEN current_setting('server_version_num')::int >= 160000
      THEN 'SET' ELSE 'MEMBER' END) AS may,
    has_schema_privilege(r.oid, 'public', 'USAGE') AND has_table_privilege(r.oid, 'public.messages', 'SELECT') AS reads
  FROM pg_roles r WHERE r.rolname = $1`;

const CHOOSE = `SELECT set_config('trunkline.workspace_id', $1, false)`;

const readers = new WeakMap<Pool, Pool>();
/** The workspace that each connection of a reading pool is set to. */
const settings = new WeakMap<PoolClient, string>();

/** Opens the pool for reads as the member role, where the database allows it. Resolves with the function that ends it. */
export async function openReaders(pool: Pool, open: () => Pool, log: Log): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ may: boolean; reads: boolean }>(MAY_TAKE_ROLE, [memberRole]);
  if (rows[0]?.may !== true) {
    log.warn({ role: memberRole }, 'row_security.not_available');
    return async () => undefined;
  }
  // An operator made the role after the installer, which could give it nothing to read.
  if (!rows[0].reads) await openToMembers(pool);
  const reading = open();
  readers.set(pool, reading);
  return async () => {
    readers.delete(pool);
    await reading.end();
  };
}

/**
 * Runs a statement that reads as a role that sees the rows of this workspace only, whatever the statement says.
 *
 * The setting travels with the statement in one round trip, and only when the connection read for another workspace
 * before. Without readers it runs on `pool`.
 */
export async function readIn<Row extends QueryResultRow>(
  pool: Pool,
  workspaceId: string,
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  const reading = readers.get(pool);
  if (reading === undefined) return pool.query<Row>(statement);
  const client = await reading.connect();
  let broken = true;
  try {
    const setting = settings.get(client) === workspaceId ? undefined : choose(client, workspaceId);
    const [result] = await Promise.all([client.query<Row>(statement), setting]);
    broken = false;
    return result;
  } finally {
    // After a failure the setting of the connection is unknown.
    client.release(broken);
  }
}

/** What calls functions as {@link readIn} runs statements. */
export function readerOf(pool: Pool, workspaceId: string): Caller {
  return { query: (statement) => readIn(pool, workspaceId, statement) };
}

async function choose(client: PoolClient, workspaceId: string): Promise<void> {
  await client.query({ name: 'workspace.choose', text: CHOOSE, values: [workspaceId] });
  settings.set(client, workspaceId);
}
