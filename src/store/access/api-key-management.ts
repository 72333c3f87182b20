import type { Pool } from 'pg';
import type { ChangeApiKeyBody } from '../../core/api-keys/bodies.js';
import type { ApiKeyStore, KeyToStore } from '../../core/api-keys/ports.js';
import { type ApiKeyShown, apiKeyList, type KeyUsage } from '../../core/api-keys/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  apiKeyRecordSql,
  changeApiKey,
  createApiKey,
  endWebhooksOfExpiredKeys,
  withTestWorkspaceSql,
} from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

/** A test key belongs to the test workspace and is listed with the live workspace. */
const keySource: ListSource = {
  table: 'api_keys',
  record: apiKeyRecordSql('api_keys'),
  severalWorkspaces: true,
  workspace:
    '(SELECT coalesce(w.live_workspace_id, w.id) FROM workspaces w WHERE w.id = api_keys.workspace_id)',
  fields: { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
};

const REVOKE = `
  WITH revoked AS (
    UPDATE api_keys SET revoked_at = now(), keeps_webhooks = $3, updated_at = now()
    WHERE workspace_id IN (SELECT ${withTestWorkspaceSql('$1')}) AND id = $2 AND revoked_at IS NULL RETURNING id
  ) SELECT pg_notify('credentials', id::text) FROM revoked`;

const USAGE = `
  SELECT k.id, coalesce(r.used, 0) AS requests_this_hour
  FROM api_keys k LEFT JOIN rate_windows r ON r.key_id = k.id AND r.hour = date_trunc('hour', now(), 'UTC')
  WHERE k.workspace_id IN (SELECT ${withTestWorkspaceSql('$1')}) AND k.rate_limit > 0 AND k.revoked_at IS NULL`;

/** Management of API keys by owners and admins, in PostgreSQL. */
export class PostgresApiKeyManagement implements ApiKeyStore {
  constructor(private readonly pool: Pool) {}

  list(workspaceId: string, query: ListQuery): Promise<ListPage<ApiKeyShown>> {
    const here = {
      sql: `workspace_id IN (SELECT ${withTestWorkspaceSql('$1::uuid')})`,
      values: [workspaceId],
    };
    return listRecords(this.pool, keySource, apiKeyList, workspaceId, query, [here]);
  }

  async usage(workspaceId: string): Promise<readonly KeyUsage[]> {
    return (await this.pool.query<KeyUsage>(USAGE, [workspaceId])).rows;
  }

  async create(key: KeyToStore, maxKeys: number): Promise<ApiKeyShown> {
    const input = { ...key, hash: key.hash.toString('base64'), max_keys: maxKeys };
    return (await createApiKey(this.pool, input, 'The user')).record;
  }

  async change(workspaceId: string, id: string, patch: ChangeApiKeyBody): Promise<ApiKeyShown> {
    const input = { workspace_id: workspaceId, id, patch };
    return (await changeApiKey(this.pool, input, 'The API key')).record;
  }

  async revoke(workspaceId: string, id: string, keepWebhooks: boolean): Promise<boolean> {
    const { rowCount } = await this.pool.query(REVOKE, [workspaceId, id, keepWebhooks]);
    return rowCount === 1;
  }

  endExpired(): Promise<void> {
    return endWebhooksOfExpiredKeys(this.pool);
  }
}
