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
    post: {
      requestBody: Json<{ name: string; scopes: string[] }>;
      responses: { 201: Json<{ id: string; key: string }> };
    };
  };
}
