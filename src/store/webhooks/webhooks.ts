import { isDeepStrictEqual } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import type { SecretBox } from '../../core/common/secret-box.js';
import type { NewWebhook, SecretRotation, WebhookChange, WebhookStore } from '../../core/webhooks/ports.js';
import type { WebhookRecord } from '../../core/webhooks/record.js';
import { secretHint } from '../../core/webhooks/secret.js';
import { endPendingWebhookDeliveries, webhookRecordSql } from '../calls.gen.js';
import { inTransaction } from '../connection/transaction.js';
import { readIn } from '../connection/workspace-reads.js';
import { type SealedWebhook, type WebhookSealer, WebhookSecrets } from './secrets.js';

/** Source of the list of webhooks: the rows of a workspace that are not deleted. */
export const webhookSource = {
  table: 'webhooks',
  record: webhookRecordSql('webhooks'),
  where: 'deleted_at IS NULL',
  fields: {
    id: 'id',
    status: 'status',
    event: 'events',
    url: 'url',
    created_at: 'created_at',
    updated_at: 'updated_at',
    metadata: 'metadata',
  },
} as const;

interface WebhookRow extends SealedWebhook {
  record: WebhookRecord;
}

const COLUMNS = `id, workspace_id, secret, previous_secret, headers, ${webhookRecordSql('webhooks')} AS record`;
const FIND = `SELECT ${COLUMNS} FROM webhooks WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`;

const INSERT = `
  INSERT INTO webhooks (id, workspace_id, created_by, url, events, scopes, secret, secret_hint, api_version, status,
    headers, header_names, description, rate_limit, metadata, created_by_key, disabled_reason)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    CASE WHEN $10 = 'disabled' THEN 'requested' END)
  RETURNING ${COLUMNS}`;

/** The lock lets a revocation that runs at the same time find the webhook, or the registration find the revocation. */
const KEY_LIVES = `
  SELECT revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS lives FROM api_keys
  WHERE id = $1 FOR SHARE`;

const UPDATE = `
  UPDATE webhooks SET url = $3, events = $4, scopes = $5, status = $6, headers = $7, header_names = $8,
    description = $9, rate_limit = $10, metadata = $11, updated_at = now(),
    disabled_reason = CASE $6 WHEN 'enabled' THEN NULL WHEN status THEN disabled_reason ELSE 'requested' END,
    failing_since = CASE WHEN $6 = 'enabled' AND status <> 'enabled' THEN NULL ELSE failing_since END
  WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`;

const ROTATE = `
  UPDATE webhooks SET secret = $3, secret_hint = $4, rotation_id = $6, updated_at = now(),
    previous_secret = CASE WHEN $5::int > 0 THEN secret END,
    previous_secret_until = CASE WHEN $5::int > 0 THEN now() + make_interval(secs => $5::int) END
  WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL AND rotation_id IS DISTINCT FROM $6::uuid RETURNING ${COLUMNS}`;

const DELETE = `
  UPDATE webhooks SET deleted_at = now(), updated_at = now()
  WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** Webhooks in PostgreSQL. */
export class PostgresWebhooks implements WebhookStore {
  readonly #secrets: WebhookSecrets;

  constructor(
    private readonly pool: Pool,
    box: SecretBox,
  ) {
    this.#secrets = new WebhookSecrets(box);
  }

  async create(webhook: NewWebhook, limit: number): Promise<WebhookRecord | 'limit_reached' | 'key_ended'> {
    const values = valuesOf(webhook, await this.#secrets.sealing(webhook.workspaceId));
    return inTransaction(this.pool, async (client) => {
      // Serializes registrations per workspace, because two concurrent ones could exceed the limit.
      await client.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [webhook.workspaceId]);
      const known = await findRow(client, webhook.workspaceId, webhook.id);
      if (known !== undefined) return this.#withSecret(known);
      if (await hasEnded(client, webhook.createdByKey)) return 'key_ended';
      const { rows } = await client.query<{ full: boolean }>(
        'SELECT count(*) >= $2 AS full FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL',
        [webhook.workspaceId, limit],
      );
      if (rows[0]?.full) return 'limit_reached';
      const inserted = await client.query<WebhookRow>(INSERT, values);
      return this.#withSecret(inserted.rows[0]!);
    });
  }

  async find(workspaceId: string, id: string): Promise<WebhookRecord | undefined> {
    const { rows } = await readIn<{ record: WebhookRecord }>(this.pool, workspaceId, {
      text: FIND,
      values: [workspaceId, id],
    });
    return rows[0]?.record;
  }

  /** The secret and the headers of a webhook in plain text. */
  async opened(
    workspaceId: string,
    id: string,
  ): Promise<{ readonly secret: string; readonly headers: Readonly<Record<string, string>> } | undefined> {
    const row = await findRow(this.pool, workspaceId, id);
    if (row === undefined) return undefined;
    return { secret: await this.#secrets.openSecret(row), headers: await this.#secrets.openHeaders(row) };
  }

  async change(
    workspaceId: string,
    id: string,
    decide: (current: WebhookRecord) => WebhookChange,
  ): Promise<WebhookRecord | undefined> {
    const sealing = await this.#secrets.sealing(workspaceId);
    return inTransaction(this.pool, async (client) => {
      const row = await findRow(client, workspaceId, id, 'FOR NO KEY UPDATE');
      return row && this.#apply(client, row, decide(row.record), sealing);
    });
  }

  async delete(workspaceId: string, id: string): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(DELETE, [workspaceId, id]);
      if (rowCount === 0) return false;
      await endPendingWebhookDeliveries(client, { hook: id, final: 'canceled' });
      return true;
    });
  }

  async rotateSecret(
    workspaceId: string,
    id: string,
    rotation: SecretRotation,
  ): Promise<WebhookRecord | undefined> {
    const { secret, overlapSeconds } = rotation;
    const sealing = await this.#secrets.sealing(workspaceId);
    const sealed = sealing.sealSecret(workspaceId, id, secret);
    const values = [workspaceId, id, sealed, secretHint(secret), overlapSeconds, rotation.id];
    const { rows } = await this.pool.query<WebhookRow>(ROTATE, values);
    // No row was updated if the webhook is deleted or this rotation was already made.
    const row = rows[0] ?? (await findRow(this.pool, workspaceId, id));
    return row && this.#withSecret(row);
  }

  async #apply(
    client: PoolClient,
    row: WebhookRow,
    change: WebhookChange,
    sealing: WebhookSealer,
  ): Promise<WebhookRecord> {
    const { record } = row;
    const wanted = {
      url: change.url ?? record.url,
      events: change.subscription?.events ?? record.events,
      scopes: change.subscription?.scopes ?? record.scopes,
      status: change.status ?? record.status,
      description: change.description === undefined ? record.description : change.description,
      rate_limit: change.rateLimit === undefined ? record.rate_limit : change.rateLimit,
      metadata: change.metadata ?? record.metadata,
    };
    const isSame = isDeepStrictEqual({ ...record, ...wanted }, record);
    const { headers } = change;
    if (isSame && (headers === undefined || (await this.#hasHeaders(row, headers)))) return record;
    const { rows } = await client.query<WebhookRow>(UPDATE, [
      row.workspace_id,
      row.id,
      wanted.url,
      wanted.events,
      wanted.scopes,
      wanted.status,
      headers === undefined ? row.headers : sealing.sealHeaders(row.workspace_id, row.id, headers),
      Object.keys(headers ?? record.headers),
      wanted.description,
      wanted.rate_limit,
      wanted.metadata,
    ]);
    if (wanted.status === 'disabled' && record.status !== 'disabled') {
      await endPendingWebhookDeliveries(client, { hook: row.id, final: 'canceled' });
    }
    return rows[0]!.record;
  }

  /** Headers that can't be read, for example after the loss of a master key, count as different and are replaced. */
  async #hasHeaders(row: WebhookRow, headers: Readonly<Record<string, string>>): Promise<boolean> {
    const known = await this.#secrets.openHeaders(row).catch(() => undefined);
    return isDeepStrictEqual(known, headers);
  }

  async #withSecret(row: WebhookRow): Promise<WebhookRecord> {
    return { ...row.record, secret: await this.#secrets.openSecret(row) };
  }
}

function valuesOf(webhook: NewWebhook, sealing: WebhookSealer): unknown[] {
  const { id, workspaceId, secret, headers } = webhook;
  return [
    id,
    workspaceId,
    webhook.createdBy,
    webhook.url,
    webhook.events,
    webhook.scopes,
    sealing.sealSecret(workspaceId, id, secret),
    secretHint(secret),
    webhook.apiVersion,
    webhook.status,
    sealing.sealHeaders(workspaceId, id, headers),
    Object.keys(headers),
    webhook.description,
    webhook.rateLimit,
    webhook.metadata,
    webhook.createdByKey,
  ];
}

async function hasEnded(client: PoolClient, key: string | null): Promise<boolean> {
  if (key === null) return false;
  const { rows } = await client.query<{ lives: boolean }>(KEY_LIVES, [key]);
  return rows[0]?.lives !== true;
}

async function findRow(
  client: Pick<PoolClient, 'query'>,
  workspaceId: string,
  id: string,
  lock = '',
): Promise<WebhookRow | undefined> {
  const { rows } = await client.query<WebhookRow>(`${FIND} ${lock}`, [workspaceId, id]);
  return rows[0];
}
