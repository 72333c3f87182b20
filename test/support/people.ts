import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

/** A workspace with a member and a connection, in which tests create conversations. */
export interface World {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly connectionId: string;
}

export async function makeWorld(pool: Pool, platform = 'sms'): Promise<World> {
  const world = { workspaceId: uuidv7(), memberId: uuidv7(), connectionId: uuidv7() };
  await pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [world.workspaceId]);
  await recordEvents(pool, world.workspaceId);
  await makeMember(pool, world.workspaceId, 'boss', world.memberId);
  await makeConnection(pool, world, platform, world.connectionId);
  return world;
}

/** Records all events of the workspace, as for a client that listens to all of them. */
export async function recordEvents(pool: Pool, workspaceId: string): Promise<void> {
  await pool.query(`INSERT INTO event_interest VALUES ($1, 'infinity', 'infinity')`, [workspaceId]);
}

export async function makeMember(
  pool: Pool,
  workspaceId: string,
  name: string,
  id = uuidv7(),
): Promise<string> {
  await pool.query(
    `INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1, $2, 'member', $3, $3)`,
    [id, workspaceId, name],
  );
  return id;
}

export async function makeConnection(
  pool: Pool,
  world: World,
  platform: string,
  id = uuidv7(),
): Promise<string> {
  await pool.query(
    `INSERT INTO connections (id, workspace_id, platform, name, status, health, created_by)
     VALUES ($1, $2, $3, $3, 'connected', '{}', $4)`,
    [id, world.workspaceId, platform, world.memberId],
  );
  return id;
}

/** The contact with an address, created if there is none. */
export async function makeContact(
  pool: Pool,
  workspaceId: string,
  address: string,
  platform = 'sms',
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT (find_or_create_contact($1, $2, $3, NULL, NULL, NULL)).id`,
    [workspaceId, platform, address],
  );
  return rows[0]!.id;
}

/** Types of the workspace's events, oldest first, with their data and extra fields. */
export async function eventsOf(
  pool: Pool,
  workspaceId: string,
  type = '%',
): Promise<{ type: string; data: Record<string, unknown>; extra: Record<string, unknown> | null }[]> {
  const { rows } = await pool.query(
    'SELECT type, data, extra FROM events WHERE workspace_id = $1 AND type LIKE $2 ORDER BY position',
    [workspaceId, type],
  );
  return rows;
}

/** The only column of each row. */
export async function values<T>(pool: Pool, text: string, parameters: unknown[] = []): Promise<T[]> {
  const { rows } = await pool.query<unknown[]>({ text, values: parameters, rowMode: 'array' });
  return rows.map((row) => row[0] as T);
}
