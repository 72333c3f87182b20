/** What the screens for developers alone ask. `session-paths.ts` has the rest. */

import type { ById, Get, Json, List, NoContent, Place } from './path-shapes';

/** The beginning of what a receiver answered to an attempt. */
interface WebhookAnswer {
  /** The time of the attempt. */
  readonly at: string;
  readonly text: string;
}

/** An app that may ask members to act for them. */
export interface OAuthApp {
  readonly id: string;
  readonly name: string;
  readonly type: 'public' | 'confidential';
  readonly redirect_uris: string[];
  readonly scopes: string[];
  readonly client_id: string;
  /** In the answers that create and rotate it alone; a public app has none. */
  readonly client_secret: string | null;
  readonly created_at: string;
}

export type OAuthAppChange = Partial<Pick<OAuthApp, 'name' | 'redirect_uris' | 'scopes'>>;
export type NewOAuthApp = Pick<OAuthApp, 'name' | 'type' | 'redirect_uris' | 'scopes'>;

/** A member that has authorized an OAuth app. */
export interface AppGrant {
  readonly id: string;
  readonly user: { readonly id: string; readonly display_name: string };
  readonly scopes: string[];
  /** Unless the app uses it again. */
  readonly expires_at: string;
  readonly created_at: string;
}

/** What an agent has done and read. */
export interface AgentSession {
  readonly id: string;
  readonly name: string;
  readonly calls: number;
  readonly writes: number;
  readonly conversations_read: number;
  readonly read_widely: boolean;
  readonly used_at: string;
}

export interface DeveloperPaths {
  '/agent-sessions': Get<{ data: AgentSession[] }>;
  '/agent-sessions/{id}/release': { post: ById & { responses: { 200: Json<AgentSession> } } };
  '/oauth-apps': {
    get: {
      parameters: { query?: Place };
      responses: { 200: Json<List<OAuthApp>> };
    };
    post: { requestBody: Json<NewOAuthApp>; responses: { 201: Json<OAuthApp> } };
  };
  '/oauth-apps/{id}': {
    patch: ById & { requestBody: Json<OAuthAppChange>; responses: { 200: Json<OAuthApp> } };
    delete: ById & { responses: { 204: NoContent } };
  };
  '/oauth-apps/{id}/rotate-secret': { post: ById & { responses: { 200: Json<OAuthApp> } } };
  '/oauth-apps/{id}/grants': {
    get: {
      parameters: { path: { id: string }; query?: Place };
      responses: {
        200: Json<List<AppGrant>>;
      };
    };
  };
  '/oauth-app-grants/{id}': { delete: ById & { responses: { 204: NoContent } } };
  '/webhook-deliveries/{id}/answers': {
    get: ById & { responses: { 200: Json<{ data: WebhookAnswer[] }> } };
  };
}
