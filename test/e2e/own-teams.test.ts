import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import type { Route } from '../../src/http/route.js';
import { PostgresApiKeys } from '../../src/store/access/api-keys.js';
import { fixturePath, makeRecords, type Records, routeFixtures } from '../support/access-fixtures.js';
import type { ApiAnswer, Json } from '../support/api-client.js';
import { TestStream } from '../support/event-stream.js';
import { addMember, asPerson, type OAuthStage, type Person, shareOAuthStage } from '../support/oauth.js';
import { everyDashboardRoute, everyRoute } from '../support/routes.js';

/** A word of every text of the conversation that the member does not see. */
const SECRET = 'Zebrafish';

/** Tables with a conversation_id that restricted members do not read by it: none. */
const EXEMPT: readonly string[] = [];

let stage: OAuthStage;
let records: Records;
let member: Person;
let team: Json;
let own: Json;
let ownMessage: Json;
let key: string;
let hidden: readonly string[];
let proposal: string;

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;
const nothingElse = ({ path, success, scopes }: Route) =>
  success !== 101 && path !== '/openapi/events/stream' && typeof scopes !== 'function';

function send(person: Person, method: string, path: string, body?: Json): Promise<ApiAnswer> {
  return stage.anonymous.send(method, `/dashboard/api${path}`, {
    headers: asPerson(person),
    ...(body && { body }),
  });
}

beforeAll(async () => {
  stage = await shareOAuthStage();
  const { api, database, owner, workspaceId } = stage;
  const { pool } = database;
  records = await makeRecords(api);
  const { conversation, message, tracking } = records;
  await api.must(200, 'PATCH', `/openapi/conversations/${conversation}`, {
    title: SECRET,
    team: 'Sales',
    labels: [SECRET],
  });
  await api.must(200, 'PATCH', `/openapi/messages/${message}`, { text: SECRET });
  await pool.query('UPDATE tracking_sessions SET conversation_id = $1 WHERE id = $2', [
    conversation,
    tracking,
  ]);
  await pool.query(
    `INSERT INTO message_drafts (user_id, conversation_id, workspace_id, text, is_note, device, version, written_at)
     VALUES ($1, $2, $3, $4, false, uuid7(), uuid7(), now())`,
    [owner.userId, conversation, workspaceId, SECRET],
  );
  proposal = uuidv7();
  await pool.query(
    `INSERT INTO proposals (id, workspace_id, conversation_id, proposed_by, credential_id, proposer, text, expires_at)
     VALUES ($1, $2, $3, $4, uuid7(), 'Agent', $5, now() + interval '1 hour')`,
    [proposal, workspaceId, conversation, owner.userId, SECRET],
  );
  member = await addMember(stage);
  team = (await send(owner, 'POST', '/teams', { name: 'Support', member_ids: [member.userId] })).body;
  own = await api.must(201, 'POST', '/openapi/conversations', {
    type: 'group',
    title: 'Seen',
    team: 'Support',
    participant_ids: [],
  });
  ownMessage = await api.must(201, 'POST', '/openapi/messages', { conversation_id: own.id, text: 'Seen' });
  await pool.query('UPDATE users SET own_teams_only = true WHERE id = $1', [member.userId]);
  const made = generateApiKey('live');
  key = made.key;
  await new PostgresApiKeys(pool).insert({
    id: uuidv7(),
    workspaceId,
    userId: member.userId,
    name: 'Restricted',
    environment: 'live',
    scopes: apiKeyScopes,
    rateLimit: 0,
    ipAllowlist: [],
    hash: made.hash,
    hint: made.hint,
    expiresAt: null,
  });
  hidden = [SECRET, conversation, message, records.delivery, records.link, records.call, tracking, proposal];
});
afterAll(() => stage?.stop());

/** The body of a request that is about the hidden conversation. */
function bodyOf(route: Route): Json | undefined {
  if (route.method === 'GET' || route.method === 'DELETE') return undefined;
  const draft = { text: 'Mine', is_note: false, reply_to_id: null, device: uuidv7(), base: null };
  const bodies: Readonly<Record<string, Json>> = {
    'PUT /conversations/{id}/draft': draft,
    'POST /conversations/{id}/preview': { text: 'Mine' },
    'POST /messages/read': { message_ids: [records.message] },
    'POST /openapi/translations': { message_id: records.message, target_language: 'es' },
    'POST /openapi/calls': { conversation_id: records.conversation },
    'POST /openapi/locations/tracking': { user_id: records.user, conversation_id: records.conversation },
  };
  return bodies[nameOf(route)] ?? routeFixtures[nameOf(route)]?.body?.(records) ?? {};
}

const DASHBOARD_SUBJECTS: () => Readonly<Record<string, string>> = () => ({
  conversations: records.conversation,
  messages: records.message,
  proposals: proposal,
  broadcasts: records.broadcast,
  contacts: records.user,
  'webhook-deliveries': records.webhookDelivery,
});

function pathOf(route: Route): string | undefined {
  if (!route.dashboard) return fixturePath(route, records);
  const subject = DASHBOARD_SUBJECTS()[route.path.split('/')[1] ?? ''];
  if (!route.path.includes('{')) return route.path;
  return subject === undefined ? undefined : route.path.replace('{id}', subject);
}

/** Records of the fixtures that belong to the hidden conversation. */
const BELONGING = ['conversation', 'message', 'delivery', 'call', 'tracking', 'link'];
function isOfHidden(route: Route): boolean {
  if (route.dashboard) return /^\/(conversations|messages|proposals)\/\{/.test(route.path);
  const { at = {} } = routeFixtures[nameOf(route)] ?? {};
  return Object.values(at).some((value) => BELONGING.includes(value));
}

/** An answer without the links of its page, which repeat what was asked. */
function shown({ text, body }: ApiAnswer): string {
  return body?.data === undefined ? text : JSON.stringify({ ...body, links: null });
}

/** The state that a change of the hidden conversation would affect. */
async function state(): Promise<string> {
  const { rows } = await stage.database.pool.query<{ state: string }>(
    `SELECT json_build_object(
       'conversation', (SELECT c FROM conversations c WHERE c.id = $1),
       'messages', (SELECT json_agg(m ORDER BY m.id) FROM messages m WHERE m.conversation_id = $1),
       'people', (SELECT json_agg(p ORDER BY p.user_id) FROM participants p WHERE p.conversation_id = $1),
       'links', (SELECT json_agg(l ORDER BY l.id) FROM links l WHERE l.conversation_id = $1),
       'calls', (SELECT json_agg(k ORDER BY k.id) FROM calls k WHERE k.conversation_id = $1),
       'drafts', (SELECT json_agg(d ORDER BY d.user_id) FROM message_drafts d WHERE d.conversation_id = $1),
       'proposals', (SELECT json_agg(o ORDER BY o.id) FROM proposals o WHERE o.conversation_id = $1),
       'viewers', (SELECT json_agg(v) FROM conversation_viewers v WHERE v.conversation_id = $1),
       'reactions', (SELECT count(*) FROM reactions r JOIN messages m ON m.id = r.message_id
         WHERE m.conversation_id = $1),
       'tracking', (SELECT json_agg(t ORDER BY t.id) FROM tracking_sessions t WHERE t.conversation_id = $1))::text AS state`,
    [records.conversation],
  );
  return String(rows[0]?.state);
}

describe('a member who sees only the conversations of their teams', () => {
  it('is restricted by a policy on every table that belongs to conversations', async () => {
    const { rows } = await stage.database.pool.query<{ name: string; has: boolean }>(
      `SELECT c.relname AS name, EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid
         AND p.polname = 'own_teams' AND NOT p.polpermissive) AS has
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('conversation_id', 'message_id')
       WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped
       UNION SELECT c.relname, EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own_teams')
       FROM pg_class c WHERE c.oid = 'conversations'::regclass`,
    );
    const without = rows.filter(({ name, has }) => !has && !EXEMPT.includes(name)).map(({ name }) => name);
    expect(without).toEqual([]);
    expect(rows.length).toBeGreaterThan(15);
  });

  it('finds and changes nothing of another conversation on any route', { timeout: 600_000 }, async () => {
    const before = await state();
    const routes = [...everyRoute().filter(nothingElse), ...everyDashboardRoute()].filter(
      ({ path, method }) =>
        !/^\/(session|sessions|password|second-step|setup)/.test(path) || method === 'GET',
    );
    const wrong: string[] = [];
    let asked = 0;
    for (const route of routes) {
      const path = pathOf(route);
      if (path === undefined) continue;
      const answer = await send(member, route.method, path, bodyOf(route));
      asked += 1;
      const leaked = hidden.filter((text) => shown(answer).includes(text));
      const refused = !isOfHidden(route) || answer.status === 404 || answer.status === 403;
      if (leaked.length > 0 || !refused || answer.status >= 500)
        wrong.push(`${nameOf(route)}: ${answer.status} ${leaked.join()} ${answer.text.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(100);
    expect(await state()).toBe(before);
  });

  it('finds nothing of another conversation in lists, searches, counts and exports', async () => {
    const answers = await Promise.all(
      [
        '/openapi/conversations?limit=50',
        `/openapi/conversations?filter=title:${SECRET}`,
        `/openapi/messages?filter=text:${SECRET}`,
        `/openapi/messages?filter=conversation_id:${records.conversation}`,
        `/openapi/conversations?filter=label:${SECRET}`,
        '/openapi/messages?page=1',
        '/openapi/deliveries?page=1',
        '/openapi/calls?page=1',
        '/contacts/export',
      ].map((path) => send(member, 'GET', path)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const answer of answers) for (const each of hidden) expect(shown(answer)).not.toContain(each);
    expect(
      (await send(member, 'GET', `/openapi/messages?conversation_id=${records.conversation}`)).status,
    ).toBe(404);
  });

  it('can use the conversations of their teams, and those they open', async () => {
    expect((await send(member, 'GET', `/openapi/conversations/${own.id}`)).status).toBe(200);
    expect((await send(member, 'GET', `/openapi/messages/${ownMessage.id}`)).body.text).toBe('Seen');
    const said = { conversation_id: own.id, text: 'Mine' } as Json;
    expect((await send(member, 'POST', '/openapi/messages', said)).status).toBe(201);
    const other = await send(stage.owner, 'POST', '/openapi/users', { display_name: 'New' });
    const opened = await send(member, 'POST', '/openapi/conversations', {
      type: 'group',
      participant_ids: [other.body.id],
    } as Json);
    expect([opened.status, opened.body.assignee_id]).toEqual([201, member.userId]);
    expect((await send(member, 'GET', `/openapi/conversations/${opened.body.id}`)).status).toBe(200);
  });

  it('is restricted with an API key as well, without affecting concurrent requests of others', async () => {
    const as = (path: string) => stage.anonymous.get(path, { headers: { 'x-api-key': key } });
    for (let round = 0; round < 5; round += 1) {
      const [theirs, mine, all] = await Promise.all([
        as(`/openapi/conversations/${records.conversation}`),
        as(`/openapi/conversations/${own.id}`),
        stage.api.get(`/openapi/conversations/${records.conversation}`),
      ]);
      expect([theirs.status, mine.status, all.status]).toEqual([404, 200, 200]);
    }
  });

  it('receives only the events of conversations of their teams, and a gap when one leaves them', async () => {
    const stream = await TestStream.open(stage.service.url, { key, query: '?events=messages,conversations' });
    await stage.api.must(201, 'POST', '/openapi/messages', {
      conversation_id: records.conversation,
      text: SECRET,
    });
    await stage.api.must(201, 'POST', '/openapi/messages', { conversation_id: own.id, text: 'After' });
    await stream.until((frames) => JSON.stringify(frames).includes('After'));
    expect(JSON.stringify(stream.frames)).not.toContain(SECRET);
    await stage.api.must(200, 'PATCH', `/openapi/conversations/${own.id}`, { team: 'Sales' });
    await stream.until((frames) => frames.some(({ event }) => event === 'stream.gap'));
    expect(JSON.stringify(stream.frames)).not.toContain('"Sales"');
    stream.close();
    expect((await send(member, 'GET', `/openapi/conversations/${own.id}`)).status).toBe(404);
    await stage.api.must(200, 'PATCH', `/openapi/conversations/${own.id}`, { team: 'Support' });
  });

  it('receives a gap in open streams when their teams change', async () => {
    const stream = await TestStream.open(stage.service.url, { key, query: '?events=messages' });
    await stage.api.must(201, 'POST', '/openapi/messages', { conversation_id: own.id, text: 'Last' });
    await stream.until((frames) => JSON.stringify(frames).includes('Last'));
    expect((await send(stage.owner, 'PATCH', `/teams/${team.id}`, { member_ids: [] })).status).toBe(200);
    await stream.until((frames) => frames.some(({ event }) => event === 'stream.gap'));
    stream.close();
    expect((await send(member, 'GET', `/openapi/conversations/${own.id}`)).status).toBe(404);
  });
});
