import type { Pool } from 'pg';
import { notFound } from '../../core/common/errors.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { lifetimes } from '../../core/oauth/credentials.js';
import type { NewGrant, OAuthGrants } from '../../core/oauth/ports.js';
import { type GrantRecord, grantList } from '../../core/oauth/record.js';
import { oauthGrantRecordSql, revokeOauthGrant, revokeOauthGrantSql } from '../calls.gen.js';
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

  async revokeOwn(workspaceId: string, userId: string, id: string): Promise<void> {
    const { rows } = await this.pool.query<{ revoked: boolean }>(
      `SELECT ${revokeOauthGrantSql('id')} AS revoked FROM oauth_grants
       WHERE id = $1 AND workspace_id = $2 AND user_id = $3 AND ${ALIVE}`,
      [id, workspaceId, userId],
    );
    if (rows[0]?.revoked !== true) throw notFound('The grant');
  }

  async revoke(id: string): Promise<void> {
    await revokeOauthGrant(this.pool, id);
  }
}
