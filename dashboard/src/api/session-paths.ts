import type { AnalyticsPaths } from './analytics-paths';
import type { BroadcastPaths } from './broadcast-paths';
import type { ChatPaths } from './chat-paths';
import type { DeveloperPaths } from './developer-paths';
import type { HomePaths } from './home-paths';
import type { InboxPaths } from './inbox-paths';
import type { NotificationPaths } from './notification-paths';
import type { ById, Get, Json, List, NoContent, Page, Place } from './path-shapes';
import type { components } from './schema.gen';
import type { SimulatorPaths } from './simulator-paths';
import type { TeamPaths } from './team-paths';

/**
 * Requests that only the dashboard may send (CONTRACT.md, section 16). The OpenAPI document describes only the public API, so
 * these types are written by hand. A screen that needs another request adds it here.
 */
interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly opt_out_keywords: string[];
  readonly test_workspace_id: string | null;
}

/** Retention periods in days. */
export interface Retention {
  /** Null means that the limit of the installation applies. */
  readonly messages_days: number | null;
  readonly installation: {
    readonly messages_days: number | null;
    readonly envelopes_days: number;
    readonly attempts_days: number;
    readonly events_days: number;
  };
}

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

export interface Session {
  readonly user: components['schemas']['User'];
  readonly workspace: Workspace;
  readonly role: Role;
  readonly operator: boolean;
  /**
   * Present only for users who are limited to conversations of their teams. The value changes with the members of these teams.
   */
  readonly view?: string;
  readonly csrf_token: string;
}

export interface Member {
  readonly id: string;
  readonly user: components['schemas']['User'];
  readonly role: Role;
  /** Has no effect for owners and admins. */
  readonly own_teams_only?: true;
  readonly created_at: string;
}

/** The fields of a member that can be changed. */
export interface MemberChange {
  readonly role?: Role;
  readonly status?: 'active' | 'suspended';
  readonly own_teams_only?: boolean;
}

export interface NewMember {
  readonly kind: 'member' | 'bot';
  readonly role: Role;
  readonly email?: string;
  readonly display_name?: string;
  readonly own_teams_only?: true;
}

interface Invitation {
  readonly member: Member;
  /** Null for a bot, which is active immediately. */
  readonly invite_url: string | null;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: string[];
  /** Requests per hour. 0 means unlimited. */
  readonly rate_limit: number;
  readonly ip_allowlist: string[];
  readonly user_id: string;
  /** Absent: the key sees all conversations. */
  readonly conversation_ids?: string[];
  readonly hint: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Present only in the response that creates the key. */
  readonly key?: string;
  readonly created_at: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: string[];
  readonly environment?: ApiKey['environment'];
  readonly rate_limit?: number;
  readonly ip_allowlist?: string[];
  readonly conversation_ids?: string[];
  readonly expires_at?: string | null;
}

/** Null removes the grant. */
export type ApiKeyChange = Partial<Pick<ApiKey, 'name' | 'ip_allowlist'>> & {
  readonly conversation_ids?: string[] | null;
};

/** An API request of the last 24 hours. */
export interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly environment: 'live' | 'test';
  readonly credential: {
    readonly kind: 'api_key' | 'oauth_app';
    readonly id: string;
    readonly name: string | null;
  };
  readonly request_id: string;
  readonly created_at: string;
}

/** A browser with an active session of the user. */
export interface SignedInBrowser {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
}

/** Whether the user's sign-in requires a code. */
export interface SecondStep {
  readonly enabled: boolean;
  readonly enabled_at: string | null;
  readonly recovery_codes_left: number;
}

/** A change made by a user, an API key or the system. */
export interface AuditEntry {
  readonly id: string;
  readonly actor: {
    readonly type: 'member' | 'api_key' | 'system';
    readonly id: string | null;
    readonly name: string | null;
  };
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string | null };
  readonly address: string | null;
  readonly created_at: string;
  /** Position in the hash chain of the log. */
  readonly chain: {
    readonly workspace_id: string;
    readonly number: number;
    readonly previous_hash: string;
    readonly hash: string;
  } | null;
}

/** Password and code, for changes that require both. */
export interface BothSteps {
  readonly password: string;
  readonly code: string;
}

/** A change of one consent category of a contact. */
export interface ConsentChange {
  readonly id: string;
  readonly category: 'marketing' | 'notification' | 'tracking';
  readonly previous: 'unknown' | 'granted' | 'denied';
  readonly state: 'unknown' | 'granted' | 'denied';
  readonly source: 'keyword' | 'platform' | 'member' | 'api' | 'import' | 'merge';
  readonly keyword: string | null;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly created_at: string;
}

export interface DashboardPaths
  extends AnalyticsPaths,
    BroadcastPaths,
    HomePaths,
    DeveloperPaths,
    InboxPaths,
    NotificationPaths,
    SimulatorPaths,
    TeamPaths,
    ChatPaths {
  '/session': Get<Session> & { delete: { responses: { 204: NoContent } } };
  '/sessions': Get<{ data: SignedInBrowser[] }> & { delete: { responses: { 204: NoContent } } };
  '/sessions/{id}': { delete: ById & { responses: { 204: NoContent } } };
  '/password': {
    put: {
      requestBody: Json<{ current_password: string; new_password: string }>;
      responses: { 204: NoContent };
    };
  };
  '/second-step': Get<SecondStep> & {
    post: {
      requestBody: Json<{ password: string }>;
      responses: { 201: Json<{ secret: string; uri: string }> };
    };
  };
  '/second-step/confirm': {
    post: { requestBody: Json<{ code: string }>; responses: { 200: Json<{ recovery_codes: string[] }> } };
  };
  '/second-step/recovery-codes': {
    post: { requestBody: Json<BothSteps>; responses: { 200: Json<{ recovery_codes: string[] }> } };
  };
  '/second-step/disable': {
    post: { requestBody: Json<BothSteps>; responses: { 204: NoContent } };
  };
  '/workspace': Get<Workspace> & {
    patch: { requestBody: Json<Partial<Workspace>>; responses: { 200: Json<Workspace> } };
  };
  '/workspace/retention': Get<Retention> & {
    put: { requestBody: Json<Pick<Retention, 'messages_days'>>; responses: { 200: Json<Retention> } };
  };
  '/contacts/{id}/consent-changes': {
    get: {
      parameters: { path: { id: string }; query?: Place };
      responses: { 200: Json<List<ConsentChange>> };
    };
  };
  '/members': {
    get: {
      parameters: { query?: Place };
      responses: { 200: Json<List<Member>> };
    };
    post: { requestBody: Json<NewMember>; responses: { 201: Json<Invitation> } };
  };
  '/members/{id}': {
    patch: ById & {
      requestBody: Json<MemberChange>;
      responses: { 200: Json<Member> };
    };
    delete: ById & { responses: { 204: NoContent } };
  };
  '/members/{id}/second-step': {
    get: ById & { responses: { 200: Json<SecondStep> } };
    delete: ById & { responses: { 204: NoContent } };
  };
  '/audit-log': {
    get: {
      parameters: { query?: Page };
      responses: { 200: Json<List<AuditEntry>> };
    };
  };
  /** Usage of the keys that have a limit. */
  '/key-usage': Get<{ data: { readonly id: string; readonly requests_this_hour: number }[] }>;
  '/keys': {
    get: {
      parameters: { query?: Place };
      responses: { 200: Json<List<ApiKey>> };
    };
    post: { requestBody: Json<NewApiKey>; responses: { 201: Json<ApiKey> } };
  };
  '/keys/{id}': {
    patch: ById & {
      requestBody: Json<ApiKeyChange>;
      responses: { 200: Json<ApiKey> };
    };
    delete: ById & { responses: { 204: NoContent } };
  };
  '/requests': {
    get: {
      parameters: {
        query?: Page & { path_prefix?: string };
      };
      responses: { 200: Json<List<LoggedRequest>> };
    };
  };
}
