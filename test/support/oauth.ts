import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { hashCredential } from '../../src/core/access/api-key-format.js';
import { csrfTokenOf } from '../../src/core/access/session-token.js';
import type { ApiClient, Json } from './api-client.js';
import { sharedDatabase, type TestDatabase, testDatabase } from './postgres.js';
import { type Service, type ServiceOptions, startService } from './service.js';
import { OWNER_EMAIL } from './service-process.js';
import { shareService } from './shared-service.js';

export const REDIRECT_URI = 'http://127.0.0.1:7777/callback';
export const SCOPES = ['user.read', 'messages.read', 'messages.write', 'calls.read', 'calls.write'];

export interface App {
  readonly id: string;
  readonly clientId: string;
  /** Absent for public apps. */
  readonly secret: string | undefined;
}

export interface Person {
  readonly userId: string;
  /** Cookie header of a signed-in browser. */
  readonly cookie: string;
  readonly csrfToken: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json };

/** A workspace of a service whose database the test can access, with a signed-in owner. */
export interface OAuthStage {
  readonly service: Pick<Service, 'url' | 'key' | 'createKey' | 'client'>;
  readonly database: TestDatabase;
  readonly workspaceId: string;
  readonly owner: Person;
  readonly api: ApiClient;
  /** A client without credentials. */
  readonly anonymous: ApiClient;
  stop(): Promise<void>;
}

/** A workspace of the shared service. */
export async function shareOAuthStage(): Promise<OAuthStage> {
  const service = await shareService();
  const database = sharedDatabase();
  return { ...(await stageOf(service, database, service.owner.email)), stop: () => database.drop() };
}

/** The first workspace of a new service. */
export async function startOAuthStage(options: ServiceOptions = {}): Promise<OAuthStage> {
  const database = await testDatabase();
  const service = await startService({ ...options, env: { ...options.env, DATABASE_URL: database.url } });
  return {
    ...(await stageOf(service, database, OWNER_EMAIL)),
    stop: async () => {
      await service.stop();
      await database.drop();
    },
  };
}

async function stageOf(service: OAuthStage['service'], database: TestDatabase, email: string) {
  const { rows } = await database.pool.query<{ id: string; workspace_id: string }>(
    `SELECT id, workspace_id FROM users WHERE email = $1
       AND workspace_id IN (SELECT id FROM workspaces WHERE live_workspace_id IS NULL)`,
    [email],
  );
  const [owner] = rows;
  if (owner === undefined) throw new Error('The service made no owner.');
  return {
    service,
    database,
    workspaceId: owner.workspace_id,
    owner: await signIn(database.pool, owner.id),
    api: service.client(),
    anonymous: service.client(''),
  };
}

/** Starts a session as signing in does. */
export async function signIn(pool: Pool, userId: string): Promise<Person> {
  const token = `tl_ss_${randomBytes(24).toString('hex')}`;
  await pool.query(
    `INSERT INTO sessions (id, workspace_id, user_id, token_hash, expires_at)
     SELECT $1, workspace_id, id, $3, now() + interval '1 hour' FROM users WHERE id = $2`,
    [uuidv7(), userId, hashCredential(token)],
  );
  return { userId, cookie: `tl_session=${token}`, csrfToken: csrfTokenOf(token) };
}

export async function addMember(
  { database, workspaceId }: Pick<OAuthStage, 'database' | 'workspaceId'>,
  role = 'member',
): Promise<Person> {
  const id = uuidv7();
  await database.pool.query(
    `INSERT INTO users (id, workspace_id, kind, role, username, display_name)
     VALUES ($1, $2, 'member', $3, $4, $4)`,
    [id, workspaceId, role, `user_${id.slice(-12)}`],
  );
  return signIn(database.pool, id);
}

export async function registerApp(
  { database, workspaceId, owner }: Pick<OAuthStage, 'database' | 'workspaceId' | 'owner'>,
  {
    type = 'public',
    scopes = SCOPES,
    redirectUris = [REDIRECT_URI],
    name = 'Test app',
  }: { type?: 'public' | 'confidential'; scopes?: string[]; redirectUris?: string[]; name?: string } = {},
): Promise<App> {
  const app = {
    id: uuidv7(),
    clientId: uuidv7(),
    secret: type === 'public' ? undefined : randomBytes(24).toString('base64url'),
  };
  await database.pool.query(
    `INSERT INTO oauth_apps (id, workspace_id, name, type, redirect_uris, scopes, client_id, client_secret_hash,
       secret_hint, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      app.id,
      workspaceId,
      name,
      type,
      redirectUris,
      scopes,
      app.clientId,
      app.secret === undefined ? null : hashCredential(app.secret),
      app.secret?.slice(-4),
      owner.userId,
    ],
  );
  return app;
}

export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A valid authorization request. Undefined fields are left out. */
export function authorizationRequest(
  app: App,
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const request = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: REDIRECT_URI,
    scope: SCOPES.join(' '),
    state: 'xyz',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(request).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Allows or denies as the dashboard does. Resolves with the parameters for the app. */
export async function consent(
  { anonymous }: Pick<OAuthStage, 'anonymous'>,
  person: Person,
  request: Readonly<Record<string, string>>,
  approve = true,
): Promise<URLSearchParams> {
  const answer = await anonymous.post<{ redirect_to: string }>(
    '/dashboard/api/oauth/consent',
    { ...request, approve },
    { headers: asPerson(person) },
  );
  if (answer.status !== 200) throw new Error(`Consent was answered with ${answer.status}: ${answer.text}`);
  return new URL(answer.body.redirect_to).searchParams;
}

export function asPerson({ cookie, csrfToken }: Person): Record<string, string | undefined> {
  return { 'x-api-key': undefined, cookie, 'x-csrf-token': csrfToken };
}

/** Headers of a request with only an access token. */
export function bearer(token: string): { headers: Record<string, string | undefined> } {
  return { headers: { 'x-api-key': undefined, authorization: `Bearer ${token}` } };
}

/** Sends a form to one of the OAuth endpoints. */
export async function sendForm(
  { service }: Pick<OAuthStage, 'service'>,
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const sent = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(sent),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
}

export interface Authorized {
  readonly code: string;
  /** The form that exchanges the code. */
  readonly exchange: Record<string, string | undefined>;
}

/** A code that a person granted to an app. */
export async function authorizedCode(
  stage: OAuthStage,
  app: App,
  person: Person,
  scope = SCOPES.join(' '),
): Promise<Authorized> {
  const { verifier, challenge } = pkce();
  const request = authorizationRequest(app, { scope, code_challenge: challenge });
  const code = (await consent(stage, person, request)).get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    client_id: app.clientId,
    client_secret: app.secret,
  };
  return { code, exchange };
}

/** Tokens of an app for a person, from the whole authorization flow. */
export async function tokensFor(
  stage: OAuthStage,
  app: App,
  person: Person,
  scope?: string,
): Promise<Tokens> {
  const { exchange } = await authorizedCode(stage, app, person, scope);
  const answer = await sendForm(stage, '/oauth/token', exchange);
  if (answer.status !== 200) throw new Error(`The code was refused: ${JSON.stringify(answer.body)}`);
  return answer.body as unknown as Tokens;
}

export function refresh(app: App, token: string, more: Record<string, string> = {}) {
  return {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: app.clientId,
    client_secret: app.secret,
    ...more,
  };
}
