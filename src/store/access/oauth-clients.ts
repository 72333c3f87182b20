import type { Pool } from 'pg';
import type { OAuthScope } from '../../core/access/scopes.js';
import type { OAuthApp, OAuthClients } from '../../core/oauth/ports.js';

const FIND = `
  SELECT a.id, a.workspace_id, a.client_id, a.name, u.display_name AS owner, w.name AS workspace_name, a.type,
    a.redirect_uris, a.scopes, a.client_secret_hash
  FROM oauth_apps a JOIN users u ON u.id = a.created_by JOIN workspaces w ON w.id = a.workspace_id
  WHERE a.client_id = $1`;

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly client_id: string;
  readonly name: string;
  readonly owner: string;
  readonly workspace_name: string;
  readonly type: 'public' | 'confidential';
  readonly redirect_uris: string[];
  readonly scopes: OAuthScope[];
  readonly client_secret_hash: Buffer | null;
}

/** Lookup of registered apps by client id, in PostgreSQL. */
export class PostgresOAuthClients implements OAuthClients {
  constructor(private readonly pool: Pool) {}

  async findByClientId(clientId: string): Promise<OAuthApp | undefined> {
    const { rows } = await this.pool.query<Row>({
      name: 'oauth_clients.find',
      text: FIND,
      values: [clientId],
    });
    return rows[0] && toApp(rows[0]);
  }
}

function toApp(row: Row): OAuthApp {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    clientId: row.client_id,
    name: row.name,
    owner: row.owner,
    workspaceName: row.workspace_name,
    type: row.type,
    redirectUris: row.redirect_uris,
    scopes: row.scopes,
    secretHash: row.client_secret_hash,
  };
}
