import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import { PostgresApiKeys } from '../../src/store/access/api-keys.js';
import { AgentClients, callTool, toolNames } from '../support/agent-client.js';
import type { ApiAnswer, Json } from '../support/api-client.js';
import { TestStream } from '../support/event-stream.js';
import {
  addMember,
  asPerson,
  bearer,
  type OAuthStage,
  type Person,
  registerApp,
  shareOAuthStage,
  signIn,
  tokensFor,
} from '../support/oauth.js';
import { RtcSocket } from '../support/rtc-socket.js';

/** A word of every text of the conversation that the member does not see. */
const SECRET = 'Zebrafish';

let stage: OAuthStage;
let member: Person;
let key: string;
let hidden: Json;
let hiddenMessage: Json;
let own: Json;
const agents = new AgentClients();

function send(person: Person, method: string, path: string, body?: Json): Promise<ApiAnswer> {
  return stage.anonymous.send(method, `/dashboard/api${path}`, {
    headers: asPerson(person),
    ...(body && { body }),
  });
}

const restrict = (person: Person, own_teams_only: boolean) =>
  send(stage.owner, 'PATCH', `/members/${person.userId}`, { own_teams_only });

async function keyOf(person: Person): Promise<string> {
  const made = generateApiKey('live');
  await new PostgresApiKeys(stage.database.pool).insert({
    id: uuidv7(),
    workspaceId: stage.workspaceId,
    userId: person.userId,
    name: 'Restricted',
    environment: 'live',
    scopes: apiKeyScopes,
    rateLimit: 0,
    ipAllowlist: [],
    hash: made.hash,
    hint: made.hint,
    expiresAt: null,
  });
  return made.key;
}

const group = (title: string, team: string) =>
  stage.api.must(201, 'POST', '/openapi/conversations', {
    type: 'group',
    title,
    team,
    participant_ids: [member.userId],
  });

beforeAll(async () => {
  stage = await shareOAuthStage();
  member = await addMember(stage);
  key = await keyOf(member);
  await send(stage.owner, 'POST', '/teams', { name: 'Support', member_ids: [member.userId] });
  // The member is a participant of both. That grants no access to a member who sees only their teams.
  [hidden, own] = [await group(SECRET, 'Sales'), await group('Seen', 'Support')];
  hiddenMessage = await stage.api.must(201, 'POST', '/openapi/messages', {
    conversation_id: hidden.id,
    text: SECRET,
  });
});
afterAll(async () => {
  await agents.close();
  await stage?.stop();
});

describe('the restriction of a member', () => {
  it('is set and lifted by an owner but not by the member, and is in the audit log', async () => {
    const path = `/members/${member.userId}`;
    expect((await send(member, 'PATCH', path, { own_teams_only: false })).status).toBe(403);
    expect((await restrict(member, true)).body.own_teams_only).toBe(true);
    const view = async () => (await send(member, 'GET', '/session')).body.view;
    expect(await view()).toEqual(expect.any(String));
    expect((await send(member, 'GET', `/openapi/conversations/${hidden.id}`)).status).toBe(404);
    expect((await restrict(member, false)).body.own_teams_only).toBeUndefined();
    expect(await view()).toBeUndefined();
    expect((await send(member, 'GET', `/openapi/conversations/${hidden.id}`)).status).toBe(200);
    const log = (await send(stage.owner, 'GET', '/audit-log')).body.data as Json[];
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.restricted', 'member.unrestricted']),
    );
  });

  it('can be part of an invitation, and applies from the first session', async () => {
    const body = { role: 'member', email: 'new@example.test', own_teams_only: true };
    const invited = await send(stage.owner, 'POST', '/members', body);
    expect([invited.status, (invited.body.member as Json).own_teams_only]).toEqual([201, true]);
    const token = String(invited.body.invite_url).split('/').at(-1);
    const accepted = await stage.anonymous.send('POST', `/dashboard/api/invitations/${token}`, {
      body: { password: 'one that is long enough', username: 'new', display_name: 'New' },
    });
    expect(accepted.body.view).toEqual(expect.any(String));
    const person = await signIn(stage.database.pool, String((accepted.body.user as Json).id));
    expect((await send(person, 'GET', `/openapi/conversations/${hidden.id}`)).status).toBe(404);
    const log = (await send(stage.owner, 'GET', '/audit-log')).body.data as Json[];
    const about = log.filter(({ object }) => (object as Json).id === (accepted.body.user as Json).id);
    expect(about.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.invited', 'member.restricted']),
    );
  });

  it('disables the webhooks that the member registered, because they receive all conversations', async () => {
    const hook = { url: 'https://hooks.example.test/in', events: ['messages'] };
    const options = { headers: { 'x-api-key': key }, body: hook };
    const made = await stage.anonymous.send('POST', '/api/webhooks', options);
    expect(made.status).toBe(201);
    await restrict(member, true);
    const { body } = await stage.api.get(`/api/webhooks/${made.body.id}`);
    expect(body).toMatchObject({ status: 'auto_disabled', disabled_reason: 'requested' });
    const asKey = { headers: { 'x-api-key': key }, body: { status: 'enabled' } };
    expect((await stage.anonymous.send('PATCH', `/api/webhooks/${made.body.id}`, asKey)).status).toBe(403);
  });

  it('has no effect for an admin, and takes effect when the admin becomes a member', async () => {
    const admin = await addMember(stage, 'admin');
    await restrict(admin, true);
    const read = async () => (await send(admin, 'GET', `/openapi/conversations/${hidden.id}`)).status;
    expect(await read()).toBe(200);
    await send(stage.owner, 'PATCH', `/members/${admin.userId}`, { role: 'viewer' });
    expect(await read()).toBe(404);
  });
});

describe('a restricted member', () => {
  beforeAll(async () => void (await restrict(member, true)));

  it('finds nothing by the number of a conversation', async () => {
    const at = `/conversations/${hidden.number}`;
    const draft = { text: 'Mine', is_note: false, reply_to_id: null, device: uuidv7(), base: null };
    const tries: readonly (readonly [string, string, Json?])[] = [
      ['GET', `/openapi${at}`],
      ['PATCH', `/openapi${at}`, { team: 'Support' }],
      ['PATCH', `/openapi${at}`, { assignee_id: member.userId }],
      ['DELETE', `/openapi${at}`],
      ['GET', `/openapi${at}/participants`],
      ['GET', `/openapi${at}/capabilities`],
      ['GET', `/openapi/messages?conversation_id=${hidden.number}`],
      ['POST', '/openapi/messages', { conversation_id: hidden.number, text: 'Mine' } as Json],
      ['POST', '/openapi/messages', { conversation_id: own.id, text: 'Mine', reply_to_id: hiddenMessage.id }],
      ['POST', '/openapi/calls', { conversation_id: hidden.number } as Json],
      ['GET', `${at}/draft`],
      ['PUT', `${at}/draft`, draft],
      ['PUT', `${at}/viewing`],
      ['POST', `${at}/preview`, { text: 'Mine' }],
      ['GET', `${at}/proposals`],
    ];
    for (const [method, path, body] of tries) {
      const answer = await send(member, method, path, body);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
      expect(answer.text).not.toContain(SECRET);
    }
  });

  it('has a home page without figures of the whole workspace, and no access to broadcasts', async () => {
    const { status, body } = await send(member, 'GET', '/home');
    expect([status, body.traffic, body.webhooks]).toEqual([200, null, null]);
    const whole = await send(stage.owner, 'GET', '/home');
    expect(whole.body).toMatchObject({ traffic: expect.any(Array), webhooks: { enabled: 0 } });
    const body_ = { text: 'Hello', audience: { user_ids: [stage.owner.userId] } };
    for (const [method, path] of [
      ['GET', '/openapi/broadcasts'],
      ['POST', '/openapi/broadcasts?dry_run=true'],
      ['GET', `/broadcasts/${uuidv7()}/changes`],
      ['GET', `/broadcast-changes/${uuidv7()}/recipients`],
    ] as const) {
      const answer = await send(member, method, path, method === 'POST' ? body_ : undefined);
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  it('cannot attach a file that another user uploaded', async () => {
    const upload = async (credential: string) => {
      const form = new FormData();
      form.append('file', new Blob([SECRET], { type: 'text/plain' }), 'a.txt');
      const url = `${stage.service.url}/v1/openapi/attachments`;
      const answer = await fetch(url, { method: 'POST', headers: { 'x-api-key': credential }, body: form });
      return ((await answer.json()) as Json).id;
    };
    const attach = async (id: unknown) => {
      const body = { conversation_id: own.id, text: '', attachments: [{ upload_id: id }] } as Json;
      return (await send(member, 'POST', '/openapi/messages', body)).status;
    };
    expect(await attach(await upload(stage.service.key))).toBe(404);
    expect(await attach(await upload(key))).toBe(201);
  });

  it('is restricted with an access token, even in conversations that the member participates in', async () => {
    const { access_token: token } = await tokensFor(stage, await registerApp(stage), member);
    const as = (path: string) => stage.anonymous.get(path, bearer(token));
    expect((await as(`/openapi/messages?conversation_id=${own.id}`)).status).toBe(200);
    expect((await as(`/openapi/messages?conversation_id=${hidden.id}`)).status).toBe(404);
    expect((await as(`/openapi/messages/${hiddenMessage.id}`)).status).toBe(404);
    expect((await as('/openapi/messages?page=1')).text).not.toContain(SECRET);
  });

  it('is restricted in the tools of an agent', async () => {
    const client = await agents.overHttp(stage.service.url, key);
    const names = await toolNames(client);
    expect(names).toContain('send_message');
    expect(names).not.toContain('plan_broadcast');
    const conversation = String(hidden.number);
    for (const [name, args] of [
      ['read_conversation', { conversation }],
      ['draft_message', { conversation, text: 'Mine' }],
      ['send_message', { conversation: hidden.id, text: 'Mine' }],
      ['call_link', { conversation }],
      ['trace_delivery', { message_id: hiddenMessage.id }],
    ] as const) {
      const called = await callTool(client, name, args as unknown as Json);
      expect([name, called.isError, called.data.error]).toEqual([name, true, 'not_found']);
      expect(called.text).not.toContain(SECRET);
    }
    for (const args of [{ text: SECRET }, {}]) {
      const found = await callTool(client, 'search_conversations', args as Json);
      expect(found.isError).toBe(false);
      expect(JSON.stringify(found.data)).not.toContain(hidden.id);
    }
  });
});

describe('the live connections of a restricted member', () => {
  it('ring for no call of another team, and receive nothing about a call that leaves their view', async () => {
    const socket = await RtcSocket.open(stage.service.url, { key });
    const call = (conversation: Json) =>
      stage.api.must(201, 'POST', '/openapi/calls', { conversation_id: conversation.id });
    const foreign = await call(hidden);
    const seen = await call(own);
    expect((await socket.next('ringing')).call).toMatchObject({ id: seen.id });
    expect(JSON.stringify(socket.frames)).not.toContain(foreign.id);
    await stage.api.must(200, 'PATCH', `/openapi/conversations/${own.id}`, { team: 'Sales' });
    const signal = await send(member, 'POST', `/openapi/calls/${seen.id}/signal`, { type: 'join' });
    expect(signal.status).toBe(404);
    await stage.api.must(200, 'POST', `/openapi/calls/${seen.id}/end`, {});
    await stage.api.must(200, 'PATCH', `/openapi/conversations/${own.id}`, { team: 'Support' });
    // Frames arrive in order, so this one shows that no earlier frame is missing.
    const next = await call(own);
    await expect.poll(() => JSON.stringify(socket.frames)).toContain(next.id);
    expect(socket.frames.filter(({ type }) => type === 'ended')).toEqual([]);
    await stage.api.must(200, 'POST', `/openapi/calls/${next.id}/end`, {});
    await stage.api.must(200, 'POST', `/openapi/calls/${foreign.id}/end`, {});
    socket.socket.close();
  });

  it('push no message of another conversation', async () => {
    const client = await stage.database.pool.connect();
    // Rolled back, so that no worker takes the pushes.
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO push_subscriptions (session_id, workspace_id, user_id, endpoint, p256dh, auth)
       SELECT id, workspace_id, user_id, 'https://push.example.test', 'p', 'a' FROM sessions WHERE user_id = $1`,
      [member.userId],
    );
    await client.query(
      `INSERT INTO messages (id, workspace_id, conversation_id, conversation_number, sender_id, text, direction, status)
       SELECT uuid7(), workspace_id, id, number, created_by, 'Pushed', 'inbound', 'received' FROM conversations
       WHERE workspace_id = $1`,
      [stage.workspaceId],
    );
    const { rows } = await client.query(
      `SELECT conversation_id AS id FROM push_deliveries
       WHERE conversation_id IN (SELECT id FROM conversations WHERE workspace_id = $1)`,
      [stage.workspaceId],
    );
    await client.query('ROLLBACK');
    client.release();
    expect(rows.map(({ id }) => id)).toEqual([own.id]);
  });

  it('replay no event of another conversation, and a stream of another caller misses none', async () => {
    const restricted = await TestStream.open(stage.service.url, { key, query: '?events=*' });
    const other = await TestStream.open(stage.service.url, { key: stage.service.key, query: '?events=*' });
    const write = (conversation: Json, text: string) =>
      stage.api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text });
    await write(own, 'First');
    await restricted.until((frames) => JSON.stringify(frames).includes('First'));
    const lastId = restricted.frames.findLast(({ id }) => id !== undefined)?.id ?? '';
    restricted.close();
    await write(hidden, `${SECRET} again`);
    await send(stage.owner, 'POST', '/openapi/broadcasts', {
      text: SECRET,
      audience: { user_ids: [stage.owner.userId] },
      draft: true,
    } as Json);
    await write(own, 'Second');
    await other.until((frames) => JSON.stringify(frames).includes('Second'));
    expect(JSON.stringify(other.frames)).toContain(`${SECRET} again`);
    const replayed = await TestStream.open(stage.service.url, {
      key,
      query: '?events=*',
      headers: { 'last-event-id': lastId },
    });
    await replayed.until((frames) => JSON.stringify(frames).includes('Second'));
    expect(JSON.stringify(replayed.frames)).not.toContain(SECRET);
    replayed.close();
    other.close();
  });

  it('do not affect concurrent writes of other callers', async () => {
    const bodies = Array.from({ length: 40 }, (_, n) => n);
    const answers = await Promise.all(
      bodies.flatMap((n) => [
        send(member, 'POST', '/openapi/messages', { conversation_id: own.id, text: `Mine ${n}` } as Json),
        stage.api.post('/openapi/messages', { conversation_id: hidden.id, text: `Theirs ${n}` }),
        send(member, 'POST', '/openapi/messages', { conversation_id: hidden.id, text: `Never ${n}` } as Json),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(bodies.flatMap(() => [201, 201, 404]));
  });
});
