import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ChangeOAuthAppBody } from '../../core/oauth-apps/bodies.js';
import type { NewOAuthApp, OAuthAppStore, SecretToStore } from '../../core/oauth-apps/ports.js';
import { type OAuthAppRecord, oauthAppList } from '../../core/oauth-apps/record.js';
import { changeOauthApp, createOauthApp, oauthAppRecordSql, rotateOauthSecret } from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The OAuth app';

const appSource: ListSource = {
  table: 'oauth_apps',
  record: oauthAppRecordSql('oauth_apps'),
  fields: { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
};

// The tokens of the app are deleted with it. The notification reaches processes that have cached one.
const DELETE = `
  WITH deleted AS (DELETE FROM oauth_apps WHERE workspace_id = $1 AND id = $2 RETURNING id)
  SELECT pg_notify('credentials', id::text) FROM deleted`;

/** OAuth apps in PostgreSQL. */
export class PostgresOAuthApps implements OAuthAppStore {
  constructor(private readonly pool: Pool) {}

  list(workspaceId: string, query: ListQuery): Promise<ListPage<OAuthAppRecord>> {
    return listRecords(this.pool, appSource, oauthAppList, workspaceId, query);
  }

  async create(
    app: NewOAuthApp,
    secret: SecretToStore | undefined,
    maxApps: number,
  ): Promise<OAuthAppRecord> {
    const input = { ...app, ...(secret && stored(secret)), max_apps: maxApps };
    return (await createOauthApp(this.pool, input, WHAT)).record;
  }

  async change(workspaceId: string, id: string, patch: ChangeOAuthAppBody): Promise<OAuthAppRecord> {
    return (await changeOauthApp(this.pool, { workspace_id: workspaceId, id, patch }, WHAT)).record;
  }

  async rotateSecret(workspaceId: string, id: string, secret: SecretToStore): Promise<OAuthAppRecord> {
    const input = { workspace_id: workspaceId, id, ...stored(secret) };
    return (await rotateOauthSecret(this.pool, input, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(DELETE, [workspaceId, id]);
    return rowCount === 1;
  }
}

function stored(secret: SecretToStore) {
  return { secret_hash: secret.hash.toString('base64'), secret_hint: secret.hint };
}
