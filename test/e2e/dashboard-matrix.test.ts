import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import type { Route } from '../../src/http/route.js';
import type { ApiAnswer, Json } from '../support/api-client.js';
import {
  addMember,
  asPerson,
  authorizationRequest,
  consent,
  type OAuthStage,
  type Person,
  registerApp,
  signIn,
  startOAuthStage,
} from '../support/oauth.js';
import { everyDashboardRoute, everyRoute } from '../support/routes.js';

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
/** Whether a role has a scope. */
const holds: Readonly<Record<(typeof ROLES)[number], (scope: string) => boolean>> = {
  owner: () => true,
  admin: () => true,
  member: (scope) => scope !== 'platforms:write',
  viewer: (scope) => scope.endsWith(':read'),
};
const MANAGING = new Set<string>(['owner', 'admin']);

/** Which callers may use a route that only the dashboard has. A route that is not listed fails. */
const ADMITTED: Readonly<Record<string, 'everybody' | 'signed in' | 'writing' | 'managing' | 'operator'>> = {
  'POST /session': 'everybody',
  'GET /session': 'signed in',
  'DELETE /session': 'signed in',
  'GET /sessions': 'signed in',
  'DELETE /sessions': 'signed in',
  'DELETE /sessions/{id}': 'signed in',
  'PUT /password': 'signed in',
  'POST /session/second-step': 'everybody',
  'GET /second-step': 'signed in',
  'POST /second-step': 'signed in',
  'POST /second-step/confirm': 'signed in',
  'POST /second-step/recovery-codes': 'signed in',
  'POST /second-step/disable': 'signed in',
  'GET /notifications': 'signed in',
  'PATCH /notifications': 'signed in',
  'GET /push-key': 'signed in',
  'PUT /push-subscription': 'signed in',
  'DELETE /push-subscription': 'signed in',
  'POST /push-subscription/test': 'signed in',
  'POST /setup': 'everybody',
  'GET /keys': 'managing',
  'GET /key-usage': 'managing',
  'GET /agent-sessions': 'managing',
  'POST /agent-sessions/{id}/release': 'managing',
  'POST /keys': 'managing',
  'PATCH /keys/{id}': 'managing',
  'DELETE /keys/{id}': 'managing',
  'GET /analytics': 'signed in',
  'GET /analytics/export': 'signed in',
  'GET /broadcasts/{id}/progress': 'signed in',
  'GET /broadcasts/{id}/platforms': 'signed in',
  'GET /broadcasts/{id}/recipients/export': 'signed in',
  'POST /broadcasts/rehearsal': 'writing',
  'GET /broadcasts/{id}/changes': 'signed in',
  'GET /broadcasts/{id}/changes/preview': 'signed in',
  'POST /broadcasts/{id}/changes': 'writing',
  'GET /broadcast-changes/{id}/recipients': 'signed in',
  'POST /broadcast-changes/{id}/stop': 'writing',
  'GET /contacts/{id}/consent-changes': 'signed in',
  'GET /contacts/export': 'signed in',
  'GET /contact-imports': 'signed in',
  'POST /contact-imports': 'writing',
  'GET /contact-imports/{id}': 'signed in',
  'DELETE /contact-imports/{id}': 'writing',
  'GET /contact-imports/{id}/rows': 'signed in',
  'GET /contact-imports/{id}/failed-rows': 'signed in',
  'POST /contact-imports/{id}/preview': 'writing',
  'POST /contact-imports/{id}/start': 'writing',
  'POST /contact-imports/{id}/undo': 'writing',
  'POST /conversations/{id}/preview': 'signed in',
  'PUT /conversations/{id}/viewing': 'signed in',
  'DELETE /conversations/{id}/viewing': 'signed in',
  'GET /conversations/{id}/draft': 'signed in',
  'PUT /conversations/{id}/draft': 'writing',
  'GET /conversations/{id}/proposals': 'signed in',
  'POST /proposals/{id}/approve': 'writing',
  'POST /proposals/{id}/refuse': 'writing',
  'POST /messages/read': 'writing',
  'GET /messages/{id}/versions': 'signed in',
  'GET /home': 'signed in',
  'GET /map': 'signed in',
  'GET /map/tiles/{z}/{x}/{y}': 'signed in',
  'GET /members': 'managing',
  'POST /members': 'managing',
  'PATCH /members/{id}': 'managing',
  'DELETE /members/{id}': 'managing',
  'GET /members/{id}/second-step': 'managing',
  'DELETE /members/{id}/second-step': 'managing',
  'GET /teams': 'signed in',
  'POST /teams': 'managing',
  'PATCH /teams/{id}': 'managing',
  'DELETE /teams/{id}': 'managing',
  'POST /invitations/{token}': 'everybody',
  'GET /oauth-apps': 'managing',
  'POST /oauth-apps': 'managing',
  'PATCH /oauth-apps/{id}': 'managing',
  'DELETE /oauth-apps/{id}': 'managing',
  'POST /oauth-apps/{id}/rotate-secret': 'managing',
  'GET /oauth-apps/{id}/grants': 'managing',
  'DELETE /oauth-app-grants/{id}': 'managing',
  'POST /oauth/consent': 'signed in',
  'GET /oauth/grants': 'signed in',
  'DELETE /oauth/grants/{id}': 'signed in',
  'GET /audit-log': 'managing',
  'GET /webhook-deliveries/{id}/answers': 'signed in',
  'GET /requests': 'managing',
  'GET /simulators': 'managing',
  'GET /simulators/{platform}/screen': 'managing',
  'GET /simulators/{platform}/file': 'managing',
  'POST /simulators/{platform}/actions': 'managing',
  'GET /simulators/{platform}/calls': 'managing',
  'POST /simulators/{platform}/faults': 'managing',
  'DELETE /simulators/{platform}/faults': 'managing',
  'GET /workspace': 'signed in',
  'PATCH /workspace': 'managing',
  'GET /workspace/retention': 'managing',
  'PUT /workspace/retention': 'managing',
  'GET /chat-identities': 'signed in',
  'POST /chat-identities/code': 'signed in',
  'DELETE /chat-identities/{id}': 'signed in',
  'GET /workspace/staff-chat': 'managing',
  'PUT /workspace/staff-chat': 'managing',
  'POST /workspaces': 'operator',
};

let stage: OAuthStage;
const people = new Map<string, Person>();
/** The owner of another workspace. */
let neighbour: Person;
const own = everyDashboardRoute();
// A route that takes over the response would not end, and the sandbox needs a test key.
const shared = everyRoute().filter(
  ({ path, success, scopes }) =>
    success !== 101 && path !== '/openapi/events/stream' && typeof scopes !== 'function',
);
const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

beforeAll(async () => {
  stage = await startOAuthStage({ env: { TRUNKLINE_ROLES: 'api' } });
  for (const role of ROLES) people.set(role, await addMember(stage, role));
  const made = await send(stage.owner, 'POST', '/workspaces', {
    name: 'Next door',
    owner_email: 'neighbour@example.test',
    owner_password: 'password of the neighbour',
  });
  expect(made.status).toBe(201);
  const { rows } = await stage.database.pool.query<{ id: string }>(
    `SELECT id FROM users WHERE workspace_id = $1 AND role = 'owner'`,
    [made.body.id],
  );
  neighbour = await signIn(stage.database.pool, String(rows[0]?.id));
});
afterAll(() => stage?.stop());

function send(person: Person | undefined, method: string, path: string, body?: Json, more = {}) {
  const headers = { ...(person ? asPerson(person) : { 'x-api-key': undefined }), ...more };
  const options = { headers, ...(body && { body }) };
  return stage.anonymous.send(method, `/dashboard/api${path}`, options);
}

/** Requests a record that does not exist, with an empty change, so that an admitted caller changes nothing. */
function ask(route: Route, person: Person | undefined, more = {}, id = uuidv7()): Promise<ApiAnswer> {
  const bodied = route.method !== 'GET' && route.method !== 'DELETE';
  const path = route.path.replace(/\{\w+\}/g, id);
  return send(person, route.method, path, bodied ? {} : undefined, more);
}

/** Routes with an unexpected response, with that response. */
async function mismatches(
  routes: readonly Route[],
  answerOf: (route: Route) => Promise<ApiAnswer>,
  isWanted: (answer: ApiAnswer, route: Route) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const route of routes) {
    const answer = await answerOf(route);
    if (!isWanted(answer, route))
      wrong.push(`${nameOf(route)}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  return wrong;
}

const admitted = ({ status }: ApiAnswer) => status !== 401 && status !== 403;
const who = (route: Route) => ADMITTED[nameOf(route)];
const closed = [...own, ...shared].filter((route) => who(route) !== 'everybody');

describe('every route of the dashboard', () => {
  it('has a row, and every row has a route', () => {
    expect(own.map(nameOf).sort()).toEqual(Object.keys(ADMITTED).sort());
  });

  it('is 401 without a session, except those that start one', async () => {
    const wrong = await mismatches(
      [...own, ...shared],
      (route) => ask(route, undefined),
      (answer, route) => (who(route) === 'everybody' ? admitted(answer) : answer.status === 401),
    );
    expect(wrong).toEqual([]);
  });

  it('is 401 with an API key in place of a session', async () => {
    const key = { 'x-api-key': stage.service.key };
    const wrong = await mismatches(
      closed,
      (route) => ask(route, undefined, key),
      ({ status }) => status === 401,
    );
    expect(wrong).toEqual([]);
  });

  it('is 403 without the CSRF proof of our page, and with a wrong one', async () => {
    const changing = closed.filter(({ method }) => method !== 'GET');
    for (const token of [undefined, neighbour.csrfToken]) {
      const wrong = await mismatches(
        changing,
        (route) => ask(route, stage.owner, { 'x-csrf-token': token }),
        ({ status }) => status === 403,
      );
      expect(wrong).toEqual([]);
    }
  });

  it('is 403 from the page of another origin', async () => {
    const wrong = await mismatches(
      [...own, ...shared],
      (route) => ask(route, stage.owner, { origin: 'https://evil.example' }),
      ({ status }) => status === 403,
    );
    expect(wrong).toEqual([]);
  });

  it.each(ROLES)('allows a member with the role %s exactly what the role allows', async (role) => {
    const person = people.get(role) as Person;
    const held = new Set<string>(apiKeyScopes.filter(holds[role]));
    const allowed = (route: Route): boolean => {
      if (who(route) === 'writing') return held.has('profile:write');
      if (route.dashboard)
        return who(route) !== 'operator' && (who(route) !== 'managing' || MANAGING.has(role));
      if (typeof route.scopes === 'function') return false;
      if ('anyOf' in route.scopes) return route.scopes.anyOf.some((scope) => held.has(scope));
      return route.scopes.every((scope) => held.has(scope));
    };
    const lasting = [...own, ...shared].filter((route) => nameOf(route) !== 'DELETE /session');
    const wrong = await mismatches(
      lasting,
      (route) => ask(route, person),
      (answer, route) =>
        who(route) === 'everybody' || allowed(route) ? admitted(answer) : answer.status === 403,
    );
    expect(wrong).toEqual([]);
    const leaving = await addMember(stage, role);
    expect((await send(leaving, 'DELETE', '/session')).status).toBe(204);
    expect((await send(leaving, 'GET', '/session')).status).toBe(401);
  });
});

describe('the owner of another workspace', () => {
  it('finds no key, member, app, grant or session of this one, and can’t see that it exists', async () => {
    const key = await send(stage.owner, 'POST', '/keys', { name: 'Ours', scopes: ['tv:read'] });
    const app = await registerApp(stage);
    await consent(stage, stage.owner, authorizationRequest(app));
    const grants = await send(stage.owner, 'GET', '/oauth/grants');
    const sessions = await send(stage.owner, 'GET', '/sessions');
    const contact = await send(stage.owner, 'POST', '/openapi/users', { display_name: 'Ours' });
    const broadcast = await send(stage.owner, 'POST', '/openapi/broadcasts', {
      text: 'Ours',
      draft: true,
      recipient_ids: [contact.body.id],
    });
    const imports = await stage.database.pool.query<{ id: string }>(
      `INSERT INTO contact_imports (id, workspace_id, created_by, file_name, header)
       VALUES (uuid7(), $1, $2, 'x.csv', '{Name}') RETURNING id`,
      [stage.workspaceId, stage.owner.userId],
    );
    const changes = await stage.database.pool.query<{ id: string }>(
      `INSERT INTO broadcast_changes (id, workspace_id, broadcast_id, kind, created_by)
       VALUES (uuid7(), $1, $2, 'recall', $3) RETURNING id`,
      [stage.workspaceId, broadcast.body.id, stage.owner.userId],
    );
    const chat = { title: 'Ours', participant_ids: [] };
    const conversation = await send(stage.owner, 'POST', '/openapi/conversations', chat);
    const message = await send(stage.owner, 'POST', '/openapi/messages', {
      conversation_id: conversation.body.id,
      text: 'Ours',
    });
    const proposal = await stage.database.pool.query<{ id: string }>(
      `INSERT INTO proposals (id, workspace_id, conversation_id, proposed_by, credential_id, proposer, text,
         expires_at) VALUES (uuid7(), $1, $2, $3, uuid7(), 'Agent', 'Ours', now() + interval '1 hour') RETURNING id`,
      [stage.workspaceId, conversation.body.id, stage.owner.userId],
    );
    const agent = await stage.database.pool.query<{ id: string }>(
      `INSERT INTO agent_sessions (id, workspace_id, name) VALUES (uuid7(), $1, 'Agent') RETURNING id`,
      [stage.workspaceId],
    );
    const identity = await stage.database.pool.query<{ id: string }>(
      `INSERT INTO chat_identities (workspace_id, user_id, connection_id, external_id, name)
       VALUES ($1, $2, uuid7(), '7', 'Ours') RETURNING id`,
      [stage.workspaceId, stage.owner.userId],
    );
    const webhook = { url: 'https://shop.example/hooks', events: ['message.created'], status: 'disabled' };
    const hook = await send(stage.owner, 'POST', '/api/webhooks', webhook);
    const tested = await send(stage.owner, 'POST', `/api/webhooks/${hook.body.id}/test`);
    const team = await send(stage.owner, 'POST', '/teams', { name: 'Ours' });
    const ids: Readonly<Record<string, string>> = {
      teams: String(team.body.id),
      'webhook-deliveries': String(tested.body.id),
      'contact-imports': String(imports.rows[0]?.id),
      broadcasts: String(broadcast.body.id),
      'broadcast-changes': String(changes.rows[0]?.id),
      'chat-identities': String(identity.rows[0]?.id),
      contacts: String(contact.body.id),
      conversations: String(conversation.body.id),
      messages: String(message.body.id),
      proposals: String(proposal.rows[0]?.id),
      'agent-sessions': String(agent.rows[0]?.id),
      keys: String(key.body.id),
      members: (people.get('viewer') as Person).userId,
      'oauth-apps': app.id,
      'oauth-app-grants': String((grants.body.data as Json[])[0]?.id),
      oauth: String((grants.body.data as Json[])[0]?.id),
      sessions: String((sessions.body.data as Json[])[0]?.id),
    };
    const singles = own.filter(({ path }) => path.includes('{id}'));
    expect(singles.map(({ path }) => path.split('/')[1]).every((kind = '') => ids[kind] !== undefined)).toBe(
      true,
    );
    const bodies: Readonly<Record<string, Json>> = {
      'PATCH /keys/{id}': { name: 'Mine' },
      'POST /broadcasts/{id}/changes': { kind: 'recall' },
      'POST /contact-imports/{id}/preview': { columns: ['email'] },
      'POST /contact-imports/{id}/start': { columns: ['email'] },
      'POST /conversations/{id}/preview': { text: 'Mine' },
      'PUT /conversations/{id}/draft': {
        text: 'Mine',
        is_note: false,
        reply_to_id: null,
        device: uuidv7(),
        base: null,
      },
      'PATCH /members/{id}': { role: 'member' },
      'PATCH /oauth-apps/{id}': { name: 'Mine' },
      'PATCH /teams/{id}': { name: 'Mine' },
    };
    for (const route of singles) {
      const kind = route.path.split('/')[1] ?? '';
      const at = (id: string) => route.path.replace('{id}', id);
      const body = bodies[nameOf(route)];
      const foreign = await send(neighbour, route.method, at(String(ids[kind])), body);
      const unknown = await send(neighbour, route.method, at(uuidv7()), body);
      expect([nameOf(route), foreign.status, foreign.body]).toEqual([nameOf(route), 404, unknown.body]);
    }
  });

  it('lists only their own', async () => {
    const lists = own.filter(({ list, path }) => list !== undefined && !path.includes('{id}'));
    const sizes: Record<string, number> = {};
    for (const { path } of lists) {
      const { body } = await send(neighbour, 'GET', path);
      sizes[path] = (body.data as Json[]).length;
    }
    expect(sizes).toEqual({
      '/contact-imports': 0,
      '/keys': 0,
      '/members': 1,
      '/teams': 0,
      '/oauth-apps': 0,
      '/oauth/grants': 0,
      '/audit-log': 1,
      '/requests': 0,
    });
    expect((await send(neighbour, 'GET', '/workspace')).body).toMatchObject({ name: 'Next door' });
  });

  it('can’t continue a list with a cursor of this one', async () => {
    await send(stage.owner, 'POST', '/keys', { name: 'Another', scopes: ['tv:read'] });
    for (const name of ['One', 'Two']) {
      await consent(stage, stage.owner, authorizationRequest(await registerApp(stage, { name })));
    }
    const tried: string[] = [];
    for (const { path } of own.filter(({ list, path }) => list !== undefined && !path.includes('{id}'))) {
      const { body } = await send(stage.owner, 'GET', `${path}?limit=1`);
      const cursor = (body.pagination as Json).nextCursor;
      if (cursor === null) continue;
      tried.push(path);
      const next = `${path}?limit=1&cursor=${cursor}`;
      expect([path, (await send(stage.owner, 'GET', next)).status]).toEqual([path, 200]);
      expect([path, (await send(neighbour, 'GET', next)).status]).toEqual([path, 400]);
    }
    expect(tried).toEqual(['/keys', '/members', '/oauth-apps', '/oauth/grants', '/audit-log']);
  });
});
