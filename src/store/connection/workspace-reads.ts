import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { currentReader } from '../../core/access/reading.js';
import { unavailable } from '../../core/common/errors.js';
import type { Log } from '../../core/common/log.js';
import { FairShares } from '../../core/shares/fair-shares.js';
import { grantReaderAccess, protectConversations } from '../calls.gen.js';
import type { Caller } from './function-calls.js';
import { CONNECT_LIMIT_MS } from './server.js';

/** The role that sees the rows of one workspace. */
export const memberRole = 'trunkline_member';
/** The role that sees the conversations of one restricted member's teams, and what belongs to them. */
const restrictedRole = 'trunkline_restricted';

// Roles belong to the server, not to the database. A role may exist that this user is not allowed to use.
const MAY_TAKE_ROLE = `
  SELECT r.rolname AS role, pg_has_role(current_user, r.oid, CASE WHEN current_setting('server_version_num')::int >= 160000
      THEN 'SET' ELSE 'MEMBER' END) AS may,
    has_schema_privilege(r.oid, 'public', 'USAGE') AND has_table_privilege(r.oid, 'public.messages', 'SELECT')
      AND (r.rolname <> '${restrictedRole}' OR EXISTS (SELECT FROM pg_policy p WHERE p.polname = 'own_teams')) AS reads
  FROM pg_roles r WHERE r.rolname = ANY ($1)`;

const CHOOSE = `
  SELECT set_config('trunkline.workspace_id', $1, false), set_config('trunkline.reader_id', $2, false),
    set_config('role', $3, false)`;

interface Readers {
  readonly pool: Pool;
  /** The connections in use. Slow reads of one workspace must not take all of them. */
  readonly shares: FairShares;
  /** Whether these connections can read for restricted members. */
  readonly restricts: boolean;
}

const readers = new WeakMap<Pool, Readers>();
/** The workspace and the restricted member that each connection of a reading pool is set to. */
const settings = new WeakMap<PoolClient, string>();

interface Taken {
  readonly role: string;
  readonly may: boolean;
  readonly reads: boolean;
}

/** Throws `unavailable` where members cannot be restricted to the conversations of their teams. */
export function requireRestriction(pool: Pool): void {
  if (readers.get(pool)?.restricts !== true)
    throw unavailable('row_security', `The database has no role ${restrictedRole} for members of teams.`);
}

/** Opens the pool for reads as the roles of members, where the database allows it. Resolves with the function that ends it. */
export async function openReaders(pool: Pool, open: () => Pool, log: Log): Promise<() => Promise<void>> {
  const roles = [memberRole, restrictedRole];
  const { rows } = await pool.query<Taken>(MAY_TAKE_ROLE, [roles]);
  const taken = rows.filter(({ may }) => may).map(({ role }) => role);
  const missing = roles.filter((role) => !taken.includes(role));
  if (missing.length > 0) log.warn({ roles: missing }, 'row_security.not_available');
  if (!taken.includes(memberRole)) return async () => undefined;
  // An operator created the role after the installation, so the installer could not grant it anything to read.
  if (rows.some(({ may, reads }) => may && !reads)) {
    await grantReaderAccess(pool);
    await protectConversations(pool);
  }
  const reading = open();
  readers.set(pool, {
    pool: reading,
    shares: new FairShares({ capacity: reading.options.max }),
    restricts: taken.includes(restrictedRole),
  });
  return async () => {
    readers.delete(pool);
    await reading.end();
  };
}

/**
 * Runs a statement as a role that sees only the rows of this workspace, whatever the statement says. For a restricted member, the
 * role sees only the conversations of their teams.
 *
 * The setting is sent with the statement in one round trip, and only when the connection last read for another workspace or
 * member. Without readers, the statement runs on `pool`, and a read for a restricted member throws. Throws `unavailable` if the
 * workspace gets no connection in time.
 */
export async function readIn<Row extends QueryResultRow>(
  pool: Pool,
  workspaceId: string,
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  const reading = readers.get(pool);
  const reader = currentReader();
  if (reader !== undefined) requireRestriction(pool);
  if (reading === undefined) return pool.query<Row>(statement);
  if (!(await reading.shares.take(workspaceId, CONNECT_LIMIT_MS)))
    throw unavailable('backlog', 'Too many reads of this workspace are in progress.');
  try {
    return await readAs<Row>(reading.pool, { workspaceId, reader }, statement);
  } finally {
    reading.shares.release(workspaceId);
  }
}

/** Whose rows are visible. */
interface View {
  readonly workspaceId: string;
  /** The restricted member. */
  readonly reader: string | undefined;
}

async function readAs<Row extends QueryResultRow>(
  reading: Pool,
  view: View,
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  const client = await reading.connect();
  let broken = true;
  try {
    const wanted = `${view.workspaceId} ${view.reader ?? ''}`;
    const setting = settings.get(client) === wanted ? undefined : choose(client, view, wanted);
    const [result] = await Promise.all([client.query<Row>(statement), setting]);
    broken = false;
    return result;
  } finally {
    // After a failure the setting of the connection is unknown.
    client.release(broken);
  }
}

/** A caller that runs functions in the way that {@link readIn} runs statements. */
export function readerOf(pool: Pool, workspaceId: string): Caller {
  return { query: (statement) => readIn(pool, workspaceId, statement) };
}

async function choose(client: PoolClient, { workspaceId, reader }: View, chosen: string): Promise<void> {
  const values = [workspaceId, reader ?? '', reader === undefined ? memberRole : restrictedRole];
  await client.query({ name: 'workspace.choose', text: CHOOSE, values });
  settings.set(client, chosen);
}
