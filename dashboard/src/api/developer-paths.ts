/** Requests that only the developer screens send. `session-paths.ts` has the other types. */

import type { ById, Get, Json, List, NoContent, Place } from './path-shapes';

/** The beginning of a receiver's response to a delivery attempt. */
interface WebhookAnswer {
  /** The time of the attempt. */
  readonly at: string;
  readonly text: string;
}

/** An app that can ask members for authorization to act for them. */
export interface OAuthApp {
  readonly id: string;
  readonly name: string;
  readonly type: 'public' | 'confidential';
  readonly redirect_uris: string[];
  readonly scopes: string[];
  readonly client_id: string;
  /** Present only in the responses that create or rotate it. Null for a public app. */
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
  /** Use of the app extends this time. */
  readonly expires_at: string;
  readonly created_at: string;
}

/** Summary of an agent's calls. */
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
