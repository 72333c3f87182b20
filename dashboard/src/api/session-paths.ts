import type { components } from './schema.gen';

/**
 * What only the dashboard may ask (CONTRACT.md, section 16). The OpenAPI description holds the public interface alone, so
 * these are written by hand. A screen that needs another one adds it here.
 */
interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly opt_out_keywords: string[];
  readonly test_workspace_id: string | null;
}

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

export interface Session {
  readonly user: components['schemas']['User'];
  readonly workspace: Workspace;
  readonly role: Role;
  readonly operator: boolean;
  readonly csrf_token: string;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: string[];
  /** Requests an hour; 0 is unlimited. */
  readonly rate_limit: number;
  readonly ip_allowlist: string[];
  readonly user_id: string;
  readonly hint: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** In the answer that creates the key alone. */
  readonly key?: string;
  readonly created_at: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: string[];
  readonly environment?: ApiKey['environment'];
  readonly rate_limit?: number;
  readonly ip_allowlist?: string[];
  readonly expires_at?: string | null;
}

interface List<T> {
  readonly data: T[];
  readonly pagination: { readonly nextCursor: string | null };
}

interface ById {
  parameters: { path: { id: string } };
}

interface Json<T> {
  content: { 'application/json': T };
}

interface Get<T> {
  get: { responses: { 200: Json<T> } };
}

export interface DashboardPaths {
  '/session': Get<Session> & { delete: { responses: { 204: { content?: never } } } };
  '/workspace': Get<Workspace> & {
    patch: { requestBody: Json<Partial<Workspace>>; responses: { 200: Json<Workspace> } };
  };
  '/keys': {
    get: {
      parameters: { query?: { limit?: number; cursor?: string } };
      responses: { 200: Json<List<ApiKey>> };
    };
    post: { requestBody: Json<NewApiKey>; responses: { 201: Json<ApiKey> } };
  };
  '/keys/{id}': {
    patch: ById & {
      requestBody: Json<Partial<Pick<ApiKey, 'name' | 'ip_allowlist'>>>;
      responses: { 200: Json<ApiKey> };
    };
    delete: ById & { responses: { 204: { content?: never } } };
  };
}
