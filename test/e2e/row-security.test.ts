import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/http/route.js';
import { fixturePath, makeRecords, type Records, routeFixtures } from '../support/access-fixtures.js';
import type { ApiAnswer } from '../support/api-client.js';
import {
  asPerson,
  authorizationRequest,
  consent,
  type OAuthStage,
  registerApp,
  startOAuthStage,
} from '../support/oauth.js';
import { everyDashboardRoute, everyRoute } from '../support/routes.js';

/** Reads that do not belong to one workspace, with their reasons. They see nothing here, or are not requested. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'GET /openapi/events/stream': 'One look for new events serves the streams of all workspaces of a process.',
  'GET /openapi/rtc': 'A WebSocket: its answer is no record.',
  'GET /keys': 'Lists keys of a workspace and of its test workspace.',
  'GET /key-usage': 'As the list of keys.',
  'GET /map/tiles/{z}/{x}/{y}': 'The map is a file of the installation.',
  'GET /push-key': 'The key is that of the installation.',
  'GET /simulators/{platform}/screen': 'What a simulator keeps is in no table.',
  'GET /simulators/{platform}/file': 'What a simulator keeps is in no table.',
  'GET /simulators/{platform}/calls': 'What a simulator keeps is in no table.',
};

/** Without rows as long as no guide is read, and absent in a service without simulators. */
const EMPTY = new Set(['GET /openapi/tv/networks', 'GET /simulators']);

// The statements that find the workspace of a credential. No workspace can be set before them.
const AUTHENTICATION = 'WHERE (k\\.hash|s\\.token_hash) = \\$1';

let stage: OAuthStage;
let records: Records;
let contactImport: string;
let broadcastChange: string;
let oauthApp: string;
const reads = [...everyRoute(), ...everyDashboardRoute()].filter(({ method }) => method === 'GET');
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const asked = reads.filter((route) => OTHERWISE[nameOf(route)] === undefined);

beforeAll(async () => {
  stage = await startOAuthStage({ env: { TRUNKLINE_ROLES: 'api' } });
  const { api, database, owner, workspaceId } = stage;
  records = await makeRecords(api);
  const { user, message, tracking, broadcast } = records;
  await api.must(200, 'PATCH', `/openapi/users/${user}`, { consent: { marketing: 'granted' } });
  await api.must(200, 'PATCH', `/openapi/messages/${message}`, { text: 'Edited' });
  await api.must(201, 'POST', '/openapi/locations', { user_id: user, latitude: 1, longitude: 2 });
  await api.must(200, 'POST', `/openapi/locations/tracking/${tracking}/consent`, { granted: true });
  const app = await registerApp(stage);
  oauthApp = app.id;
  await consent(stage, owner, authorizationRequest(app));
  // Until its code is exchanged, a grant expires with the code. A busy machine may need longer for the fixtures alone.
  await database.pool.query(`UPDATE oauth_grants SET live_until = now() + interval '1 day'`);
  // A request is logged a second after its response. This entry exists at once.
  await database.pool.query(
    `INSERT INTO request_log (id, workspace_id, environment, method, path, status, duration_ms, credential_kind,
       credential_id, request_id, created_at)
     VALUES (uuid7(), $1, 'live', 'GET', '/openapi/messages', 200, 1, 'api_key', uuid7(), 'a', now())`,
    [workspaceId],
  );
  await api.must(200, 'PATCH', `/openapi/conversations/${records.conversation}`, { team: 'Sales' });
  await database.pool.query('UPDATE workspaces SET retain_messages_days = 400 WHERE id = $1', [workspaceId]);
  const imports = await database.pool.query<{ id: string }>(
    `WITH made AS (INSERT INTO contact_imports (id, workspace_id, created_by, file_name, header)
       VALUES (uuid7(), $1, $2, 'x.csv', '{Name}') RETURNING id), row AS (
       INSERT INTO contact_import_rows (import_id, number, workspace_id, line, cells, result)
       SELECT id, 1, $1, 2, '{Ada}', 'failed' FROM made)
     SELECT id FROM made`,
    [workspaceId, owner.userId],
  );
  contactImport = String(imports.rows[0]?.id);
  await database.pool.query(
    `INSERT INTO webhook_answers (workspace_id, delivery_id, at, excerpt) VALUES ($1, $2, now(), 'Moved')`,
    [workspaceId, records.webhookDelivery],
  );
  await database.pool.query(
    `INSERT INTO message_drafts (user_id, conversation_id, workspace_id, text, is_note, device, version, written_at)
     VALUES ($1, $2, $3, 'Half a', false, uuid7(), uuid7(), now())`,
    [owner.userId, records.conversation, workspaceId],
  );
  await database.pool.query(
    `INSERT INTO chat_identities (workspace_id, user_id, connection_id, external_id, name)
     VALUES ($1, $2, $3, '7', 'Ada')`,
    [workspaceId, owner.userId, records.connection],
  );
  await database.pool.query(
    'INSERT INTO notification_choices (user_id, workspace_id, sound_mine) VALUES ($1, $2, false)',
    [owner.userId, workspaceId],
  );
  await database.pool.query(
    `INSERT INTO proposals (id, workspace_id, conversation_id, proposed_by, credential_id, proposer, text, expires_at)
     VALUES (uuid7(), $1, $2, $3, uuid7(), 'Agent', 'Hello', now() + interval '1 hour')`,
    [workspaceId, records.conversation, owner.userId],
  );
  await database.pool.query(
    `INSERT INTO agent_sessions (id, workspace_id, name) VALUES (uuid7(), $1, 'Agent')`,
    [workspaceId],
  );
  // No worker prepares broadcasts here.
  await database.pool.query(
    `INSERT INTO broadcast_recipients (workspace_id, broadcast_id, user_id, status) VALUES ($1, $2, $3, 'pending')`,
    [workspaceId, broadcast, user],
  );
  const changes = await database.pool.query<{ id: string }>(
    `WITH reached AS (INSERT INTO broadcast_recipients (workspace_id, broadcast_id, user_id, platform, status)
       VALUES ($1, $2, $3, 'sms', 'sent') RETURNING id), made AS (
       INSERT INTO broadcast_changes (id, workspace_id, broadcast_id, kind, created_by, status, ended_at)
       VALUES (uuid7(), $1, $2, 'recall', $3, 'completed', now()) RETURNING id), places AS (
       INSERT INTO broadcast_change_platforms (change_id, platform, workspace_id, supported, total)
       SELECT id, 'sms', $1, false, 1 FROM made), results AS (
       INSERT INTO broadcast_change_recipients (change_id, recipient_id, workspace_id, platform, result)
       SELECT m.id, r.id, $1, 'sms', 'unsupported' FROM made m, reached r)
     SELECT id FROM made`,
    [workspaceId, broadcast, owner.userId],
  );
  broadcastChange = String(changes.rows[0]?.id);
});
afterAll(() => stage?.stop());

function ask(route: Route): Promise<ApiAnswer> {
  if (route.dashboard) {
    const ids: Readonly<Record<string, string>> = {
      members: stage.owner.userId,
      messages: records.message,
      conversations: records.conversation,
      broadcasts: records.broadcast,
      'broadcast-changes': broadcastChange,
      'oauth-apps': oauthApp,
      'webhook-deliveries': records.webhookDelivery,
      'contact-imports': contactImport,
    };
    const path = route.path.replace('{id}', ids[route.path.split('/')[1] ?? ''] ?? records.user);
    return stage.anonymous.get(`/dashboard/api${path}`, { headers: asPerson(stage.owner) });
  }
  return stage.api.get(fixturePath(route, records));
}

/** From now on the policies also apply to the service's own role, and no workspace is set for it. */
async function blindOwner(pool: Pool): Promise<void> {
  await pool.query(`
    DO $$ DECLARE t record; BEGIN
      FOR t IN SELECT oid::regclass AS name FROM pg_class WHERE relrowsecurity LOOP
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t.name);
        EXECUTE format('CREATE POLICY authentication ON %s TO current_user USING (current_query() ~ %L)',
          t.name, '${AUTHENTICATION}');
      END LOOP;
    END $$`);
}

describe('a read of the interface', () => {
  it('uses a role that sees one workspace: every GET returns the same when the table owner sees no rows', async () => {
    const before = new Map<Route, ApiAnswer>();
    for (const route of asked) before.set(route, await ask(route));
    expect(asked.filter((route) => hasNothing(route, before.get(route))).map(nameOf)).toEqual([]);
    await blindOwner(stage.database.pool);
    expect((await stage.database.pool.query('SELECT FROM users')).rowCount).toBe(0);
    const wrong: string[] = [];
    for (const route of asked) {
      const after = shown(route, await ask(route));
      if (after !== shown(route, before.get(route))) wrong.push(`${nameOf(route)}: ${after.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('without that role has a documented reason, and then returns nothing', async () => {
    const names = reads.map(nameOf);
    expect(Object.keys(OTHERWISE).filter((name) => !names.includes(name))).toEqual([]);
    const keys = await stage.anonymous.get('/dashboard/api/keys', { headers: asPerson(stage.owner) });
    expect([keys.status, keys.body.data]).toEqual([200, []]);
  });
});

/** Whether a response contains no data that a policy could hide. */
function hasNothing(route: Route, answer: ApiAnswer | undefined): boolean {
  const name = nameOf(route);
  const data = answer?.body?.data;
  if (Array.isArray(data)) return data.length === 0 && !EMPTY.has(name);
  return (
    answer?.status !== route.success && routeFixtures[name]?.also?.includes(Number(answer?.status)) !== true
  );
}

/** The part of a response that must not change. */
function shown(route: Route, answer: ApiAnswer | undefined): string {
  const name = nameOf(route);
  // These contain times that change.
  if (name === 'GET /openapi/status') return String(answer?.status);
  if (name === 'GET /sessions')
    return `${answer?.status} ${answer?.text.replaceAll(/"last_seen_at":"[^"]*"/g, '')}`;
  // Requests of this test are added to it a second after their response.
  if (name === 'GET /requests') return `${answer?.status} ${JSON.stringify(answer?.body.data) !== '[]'}`;
  if (name === 'GET /openapi/analytics/{resource}') return JSON.stringify(answer?.body.totals);
  return `${answer?.status} ${answer?.text}`;
}
