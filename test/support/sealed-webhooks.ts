import type { Pool } from 'pg';
import { v7 as uuid7 } from 'uuid';
import type { Sealer, SecretBox } from '../../src/core/common/secret-box.js';
import { AesSecretBox } from '../../src/store/secrets/secret-box.js';
import { values } from './people.js';

export const webhookLocation = (workspaceId: string, rowId: string) => ({
  workspaceId,
  rowId,
  field: 'webhooks.secret',
});

/** Changes the database as if a release without keys of workspaces had created it with this master key. */
export async function madeByFormerRelease(pool: Pool, masterKey: Buffer): Promise<void> {
  const place = { workspaceId: '', rowId: 'installation', field: 'master_key_check' };
  const check = new AesSecretBox(masterKey).seal('trunkline', place);
  await pool.query('UPDATE installation SET master_key_check = $1', [check]);
}

export async function makeWorkspaces(pool: Pool, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuid7());
  await pool.query(`INSERT INTO workspaces (id, name) SELECT unnest($1::uuid[]), 'Test'`, [ids]);
  await pool.query(
    `INSERT INTO users (id, workspace_id, kind, username, display_name)
     SELECT id, id, 'member', 'boss', 'Boss' FROM unnest($1::uuid[]) AS w (id)`,
    [ids],
  );
  return ids;
}

/** Creates webhooks of a workspace, each with the secret `of <id>`. */
export async function makeWebhooks(
  pool: Pool,
  workspaceId: string,
  sealer: Sealer,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => uuid7());
  const sealed = ids.map((id) => sealer.seal(`of ${id}`, webhookLocation(workspaceId, id)));
  await pool.query(
    `INSERT INTO webhooks (id, workspace_id, url, events, scopes, secret, secret_hint, api_version, created_by)
     SELECT n.id, $1, 'https://receiver.example/', '{user.created}', '{}', n.secret, '', '2.0', $1
     FROM unnest($2::uuid[], $3::bytea[]) AS n (id, secret)`,
    [workspaceId, ids, sealed],
  );
}

/** Opens the secret of every webhook. Returns their number. */
export async function openAll(pool: Pool, box: SecretBox): Promise<number> {
  const { rows } = await pool.query<{ id: string; workspace_id: string; secret: Buffer }>(
    'SELECT id, workspace_id, secret FROM webhooks',
  );
  for (const { id, workspace_id, secret } of rows) {
    const text = await box.open(secret, webhookLocation(workspace_id, id));
    if (text !== `of ${id}`) throw new Error(`The webhook ${id} has another secret.`);
  }
  return rows.length;
}

/** The distinct first bytes of the sealed secrets of webhooks. */
export function versionsOf(pool: Pool): Promise<number[]> {
  return values<number>(pool, 'SELECT DISTINCT get_byte(secret, 0) FROM webhooks ORDER BY 1');
}
