import type { Pool } from 'pg';
import type { SecretLocation } from '../../core/common/secret-box.js';
import { credentialsLocation } from '../platforms/connections.js';
import { InstallationSecretBox } from '../secrets/installation-secret-box.js';
import { isReadable } from '../secrets/is-readable.js';
import { masterKeyFits } from '../secrets/master-key.js';
import type { AesSecretBox } from '../secrets/secret-box.js';
import { keyName, unwrapKey, wrappedKeys } from '../secrets/workspace-keys.js';
import { type SealedWebhook, WebhookSecrets } from '../webhooks/secrets.js';

/** The maximum number of rows of each kind that are tried. */
const MAX_ROWS = 1_000;

/** Which of the stored secrets can be read. */
export interface SealedValues {
  /** Undefined: the database has no key yet. */
  readonly keyFits: boolean | undefined;
  readonly tried: number;
  /** Keys of workspaces that can't be read: `key of workspace <id>`. */
  readonly unreadableKeys: readonly string[];
  /** Records whose secrets can't be read: `connection <id>` or `webhook <id>`. */
  readonly unreadable: readonly string[];
}

interface SealedConnection {
  readonly id: string;
  readonly workspace_id: string;
  readonly credentials: Buffer;
}

/** Tries to open the stored secrets. Changes nothing and keeps no secret. */
export async function trySealedValues(pool: Pool, box: AesSecretBox): Promise<SealedValues> {
  const keyFits = await masterKeyFits(pool, box);
  const { rows: connections } = await pool.query<SealedConnection>(
    `SELECT id, workspace_id, credentials FROM connections
     WHERE credentials IS NOT NULL AND deleted_at IS NULL ORDER BY created_at DESC LIMIT ${MAX_ROWS}`,
  );
  const { rows: webhooks } = await pool.query<SealedWebhook>(
    `SELECT id, workspace_id, secret, previous_secret, headers FROM webhooks
     WHERE deleted_at IS NULL ORDER BY created_at DESC LIMIT ${MAX_ROWS}`,
  );
  const opener = new InstallationSecretBox(pool, box);
  const secrets = new WebhookSecrets(opener);
  const unreadable = [
    ...(await failing(connections, (row) => opener.open(row.credentials, placeOf(row)))).map(
      ({ id }) => `connection ${id}`,
    ),
    ...(
      await failing(webhooks, (row) => Promise.all([secrets.openSecrets(row), secrets.openHeaders(row)]))
    ).map(({ id }) => `webhook ${id}`),
  ];
  const tried = connections.length + webhooks.length;
  return { keyFits, tried, unreadableKeys: await tryKeys(pool, box), unreadable };
}

async function tryKeys(pool: Pool, box: AesSecretBox): Promise<string[]> {
  const unreadable: string[] = [];
  for await (const page of wrappedKeys(pool))
    unreadable.push(...(await failing(page, async (row) => unwrapKey(box, row))).map(keyName));
  return unreadable;
}

function placeOf({ workspace_id, id }: SealedConnection): SecretLocation {
  return credentialsLocation(workspace_id, id);
}

async function failing<T>(rows: readonly T[], read: (row: T) => Promise<unknown>): Promise<T[]> {
  const failed: T[] = [];
  for (const row of rows) if (!(await isReadable(() => read(row)))) failed.push(row);
  return failed;
}
