import type { Pool } from 'pg';
import type { SecretBox, SecretPlace } from '../../core/common/secret-box.js';
import { credentialsPlace } from '../platforms/connections.js';
import { SecretUnreadableError } from '../secrets/errors.js';
import { masterKeyFits } from '../secrets/master-key.js';
import type { AesSecretBox } from '../secrets/secret-box.js';
import { type SealedWebhook, WebhookSecrets } from '../webhooks/secrets.js';

/** So many of each kind are tried. */
const MOST = 1_000;

/** Which of the stored secrets can be read. */
export interface SealedValues {
  /** Undefined: the database has not met any key yet. */
  readonly keyFits: boolean | undefined;
  readonly tried: number;
  /** What can't be read: `connection <id>` or `webhook <id>`. */
  readonly unreadable: readonly string[];
}

interface SealedConnection {
  readonly id: string;
  readonly workspace_id: string;
  readonly credentials: Buffer;
}

/** Tries to open what is stored. Changes nothing, and keeps nothing of what it reads. */
export async function trySealedValues(pool: Pool, box: AesSecretBox): Promise<SealedValues> {
  const keyFits = await masterKeyFits(pool, box);
  const { rows: connections } = await pool.query<SealedConnection>(
    `SELECT id, workspace_id, credentials FROM connections
     WHERE credentials IS NOT NULL AND deleted_at IS NULL ORDER BY created_at DESC LIMIT ${MOST}`,
  );
  const { rows: webhooks } = await pool.query<SealedWebhook>(
    `SELECT id, workspace_id, secret, previous_secret, headers FROM webhooks
     WHERE deleted_at IS NULL ORDER BY created_at DESC LIMIT ${MOST}`,
  );
  const secrets = new WebhookSecrets(box);
  const unreadable = [
    ...connections
      .filter((row) => !opens(box, row.credentials, credentialsPlace(row.workspace_id, row.id)))
      .map(({ id }) => `connection ${id}`),
    ...webhooks
      .filter((row) => !isRead(() => [secrets.openSecrets(row), secrets.openHeaders(row)]))
      .map(({ id }) => `webhook ${id}`),
  ];
  return { keyFits, tried: connections.length + webhooks.length, unreadable };
}

function opens(box: SecretBox, sealed: Buffer, place: SecretPlace): boolean {
  return isRead(() => box.open(sealed, place));
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false;
    throw error;
  }
}
