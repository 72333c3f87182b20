import type { Pool } from 'pg';
import { notFound } from '../../core/common/errors.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { lifetimes } from '../../core/oauth/credentials.js';
import type { NewGrant, OAuthGrants } from '../../core/oauth/ports.js';
import { type AppGrantRecord, type GrantRecord, grantList } from '../../core/oauth/record.js';
import {
  oauthAppGrantRecordSql,
  oauthGrantRecordSql,
  revokeOauthGrant,
  revokeOauthGrantSql,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const APPROVE = `
  INSERT INTO oauth_grants (id, workspace_id, app_id, user_id, scopes, code_hash, redirect_uri, code_challenge,
    code_expires_at, live_until)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9), now() + make_interval(secs => $9))`;

const ALIVE = 'revoked_at IS NULL AND live_until > now()';

const grantSource: ListSource = {
  table: 'oauth_grants',
  record: oauthGrantRecordSql('oauth_grants'),
  where: ALIVE,
  fields: { id: 'id', created_at: 'created_at', updated_at: 'updated_at' },
};

const appGrantSource: ListSource = { ...grantSource, record: oauthAppGrantRecordSql('oauth_grants') };

const APP = 'SELECT id FROM oauth_apps WHERE workspace_id = $1 AND id = $2';

/** Approvals of apps in PostgreSQL. */
export class PostgresOAuthGrants implements OAuthGrants {
  constructor(private readonly pool: Pool) {}

  async approve(grant: NewGrant): Promise<void> {
    await this.pool.query(APPROVE, [
      grant.id,
      grant.workspaceId,
      grant.appId,
      grant.userId,
      grant.scopes,
      grant.codeHash,
      grant.redirectUri,
      grant.codeChallenge,
      lifetimes.codeSeconds,
    ]);
  }

  list(workspaceId: string, userId: string, query: ListQuery): Promise<ListPage<GrantRecord>> {
    const own = { sql: 'user_id = $1::uuid', values: [userId] };
    return listRecords(this.pool, grantSource, grantList, workspaceId, query, [own]);
  }

  async listOfApp(workspaceId: string, appId: string, query: ListQuery): Promise<ListPage<AppGrantRecord>> {
    const { rows } = await readIn(this.pool, workspaceId, { text: APP, values: [workspaceId, appId] });
    if (rows.length === 0) throw notFound('The OAuth app');
    const ofApp = { sql: 'app_id = $1::uuid', values: [appId] };
    return listRecords(this.pool, appGrantSource, grantList, workspaceId, query, [ofApp]);
  }

  revokeIn(workspaceId: string, id: string): Promise<void> {
    return this.end('id = $1 AND workspace_id = $2', [id, workspaceId]);
  }

  revokeOwn(workspaceId: string, userId: string, id: string): Promise<void> {
    return this.end('id = $1 AND workspace_id = $2 AND user_id = $3', [id, workspaceId, userId]);
  }

  private async end(which: string, values: readonly string[]): Promise<void> {
    const { rows } = await this.pool.query<{ revoked: boolean }>(
      `SELECT ${revokeOauthGrantSql('id')} AS revoked FROM oauth_grants WHERE ${which} AND ${ALIVE}`,
      [...values],
    );
    if (rows[0]?.revoked !== true) throw notFound('The grant');
  }

  async revoke(id: string): Promise<void> {
    await revokeOauthGrant(this.pool, id);
  }
}
