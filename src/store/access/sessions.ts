import type { Pool } from 'pg';
import { hashCredential } from '../../core/access/api-key-format.js';
import type { Role, SessionIdentity } from '../../core/access/session-identity.js';
import { csrfTokenOf } from '../../core/access/session-token.js';
import type {
  ProvenPerson,
  ProviderOutcome,
  ProviderSessionStore,
} from '../../core/sessions/identity-provider.js';
import type {
  Account,
  NamedAccount,
  OwnSessionStore,
  SessionReader,
  SessionStore,
  SessionSurroundings,
  SignInFailure,
  Visitor,
} from '../../core/sessions/ports.js';
import type { SignedInBrowserRecord } from '../../core/sessions/record.js';
import {
  changePassword,
  endOwnSessions,
  endSessions,
  memberViewFingerprintSql,
  openSession,
  recordFailedSignIn,
  signInByProvider,
  userRecordSql,
  wireTimeSql,
  workspaceRecordSql,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

/** A session ends when it was unused for this time, and at the latest after its lifetime. */
export const sessionIdle = '8 hours';
const LIFETIME = '7 days';
/** Minimum time between two updates of last_seen_at. Without it, each request would write. */
const NOTED_EVERY = '1 minute';
const SESSIONS_PER_USER = 20;
const ACCOUNTS_PER_ADDRESS = 10;

const FIND = `
  WITH found AS (
    SELECT s.id, s.user_id, s.workspace_id, s.last_seen_at, u.role, u.operator,
      CASE WHEN u.own_teams_only THEN ${memberViewFingerprintSql('u.id')} END AS view
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = $1 AND s.expires_at > now() AND s.last_seen_at > now() - interval '${sessionIdle}'
      AND u.status = 'active' AND u.role IS NOT NULL AND u.deleted_at IS NULL
  ), noted AS (
    UPDATE sessions s SET last_seen_at = now() FROM found f
    WHERE s.id = f.id AND f.last_seen_at < now() - interval '${NOTED_EVERY}'
  )
  SELECT id, user_id, workspace_id, role, operator, view FROM found`;

const ACCOUNT = `id AS "userId", email, password_hash AS "passwordHash", EXISTS (
    SELECT FROM second_steps s WHERE s.user_id = users.id AND s.enabled_at IS NOT NULL) AS "hasSecondStep"`;

const ACCOUNTS = `
  SELECT ${ACCOUNT} FROM users
  WHERE lower(email) = lower($1) AND ($2::uuid IS NULL OR workspace_id = $2) AND password_hash IS NOT NULL
    AND kind = 'member' AND status = 'active' AND role IS NOT NULL AND deleted_at IS NULL
  ORDER BY created_at, id LIMIT ${ACCOUNTS_PER_ADDRESS}`;

const SURROUNDINGS = `
  SELECT ${userRecordSql('u')} AS user, ${workspaceRecordSql('w')} AS workspace
  FROM users u JOIN workspaces w ON w.id = u.workspace_id WHERE u.id = $1 AND w.id = $2`;

interface Row {
  readonly id: string;
  readonly user_id: string;
  readonly workspace_id: string;
  readonly role: Role;
  readonly operator: boolean;
  readonly view: string | null;
}

/** Sessions in PostgreSQL. Roles are read each time, so that a change takes effect with the next request. */
export class PostgresSessions implements SessionReader, SessionStore, ProviderSessionStore {
  constructor(private readonly pool: Pool) {}

  async find(token: string): Promise<SessionIdentity | undefined> {
    const { rows } = await this.pool.query<Row>({
      name: 'sessions.find',
      text: FIND,
      values: [hashCredential(token)],
    });
    const row = rows[0];
    if (row === undefined) return undefined;
    const { id: sessionId, user_id: userId, workspace_id: workspaceId, role, operator, view } = row;
    return { sessionId, userId, workspaceId, role, operator, view, csrfToken: csrfTokenOf(token) };
  }

  async accounts(email: string, workspaceId: string | undefined): Promise<readonly NamedAccount[]> {
    const { rows } = await this.pool.query<NamedAccount>(ACCOUNTS, [email, workspaceId ?? null]);
    return rows;
  }

  open(account: Account, tokenHash: Buffer, { address, userAgent, token }: Visitor): Promise<void> {
    return openSession(this.pool, {
      person: account.userId,
      proven: account.passwordHash,
      token: tokenHash,
      replaced: token === undefined ? null : hashCredential(token),
      origin: address,
      agent: userAgent,
      lifetime: LIFETIME,
      maxSessions: SESSIONS_PER_USER,
    });
  }

  noteFailure(userIds: readonly string[], failure: SignInFailure, address: string): Promise<void> {
    return recordFailedSignIn(this.pool, { userIds: [...userIds], actionName: failure, ipAddress: address });
  }

  async openByProvider(
    { clientId, ...person }: ProvenPerson,
    workspaceId: string | undefined,
    tokenHash: Buffer,
    { address, userAgent, token }: Visitor,
  ): Promise<ProviderOutcome> {
    const { outcome } = await signInByProvider(this.pool, {
      ...person,
      client_id: clientId,
      workspace_id: workspaceId ?? null,
      token_hash: tokenHash.toString('base64'),
      replaced: token === undefined ? null : hashCredential(token).toString('base64'),
      address,
      agent: userAgent,
      lifetime: LIFETIME,
      max_sessions: SESSIONS_PER_USER,
    });
    return outcome;
  }

  end(sessionId: string): Promise<void> {
    return endSessions(this.pool, [sessionId]);
  }

  async surroundings(workspaceId: string, userId: string): Promise<SessionSurroundings> {
    const { rows } = await readIn<SessionSurroundings>(this.pool, workspaceId, {
      text: SURROUNDINGS,
      values: [userId, workspaceId],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('The user of the session is not there.');
    return row;
  }
}

const OWN = `
  SELECT id, id = $2 AS current, address, user_agent, ${wireTimeSql('created_at')} AS created_at,
    ${wireTimeSql('last_seen_at')} AS last_seen_at,
    ${wireTimeSql(`least(expires_at, last_seen_at + interval '${sessionIdle}')`)} AS expires_at
  FROM sessions
  WHERE user_id = $1 AND expires_at > now() AND last_seen_at > now() - interval '${sessionIdle}'
  ORDER BY last_seen_at DESC, id DESC LIMIT ${SESSIONS_PER_USER}`;

const OWN_ACCOUNT = `
  SELECT ${ACCOUNT} FROM users
  WHERE id = $1 AND password_hash IS NOT NULL AND deleted_at IS NULL`;

/** The sessions of one user in PostgreSQL. */
export class PostgresOwnSessions implements OwnSessionStore {
  constructor(private readonly pool: Pool) {}

  async list(workspaceId: string, userId: string, currentId: string) {
    const values = [userId, currentId];
    const { rows } = await readIn<SignedInBrowserRecord>(this.pool, workspaceId, { text: OWN, values });
    return rows;
  }

  async end(userId: string, sessionId: string): Promise<boolean> {
    return (await endOwnSessions(this.pool, { person: userId, session: sessionId, kept: null })) > 0;
  }

  async endOthers(userId: string, currentId: string): Promise<void> {
    await endOwnSessions(this.pool, { person: userId, session: null, kept: currentId });
  }

  async account(userId: string): Promise<NamedAccount | undefined> {
    const { rows } = await this.pool.query<NamedAccount>(OWN_ACCOUNT, [userId]);
    return rows[0];
  }

  changePassword({ userId, passwordHash }: Account, hash: string, currentId: string): Promise<boolean> {
    return changePassword(this.pool, { person: userId, proven: passwordHash, hash, kept: currentId });
  }
}
