import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import { fixturePath, makeRecords, type Records, routeFixtures } from '../support/access-fixtures.js';
import { AgentClients, callTool } from '../support/agent-client.js';
import { type ApiAnswer, type Json, reasonOf } from '../support/api-client.js';
import { TestStream } from '../support/event-stream.js';
import { asPerson, type OAuthStage, shareOAuthStage } from '../support/oauth.js';
import { everyRoute } from '../support/routes.js';

const SECRET = 'Zebrafish';

let stage: OAuthStage;
let records: Records;
let own: Json;
let apiKey: Json;
let key: string;
const clients = new AgentClients();

const asOwner = (method: string, path: string, body: Json): Promise<ApiAnswer> =>
  stage.anonymous.send(method, `/dashboard/api${path}`, { headers: asPerson(stage.owner), body });
const asKey = (method: string, path: string, body?: Json): Promise<ApiAnswer> =>
  stage.anonymous.send(method, path, { headers: { 'x-api-key': key }, ...(body && { body }) });

beforeAll(async () => {
  stage = await shareOAuthStage();
  records = await makeRecords(stage.api);
  await stage.api.must(200, 'PATCH', `/openapi/conversations/${records.conversation}`, { title: SECRET });
  await stage.api.must(200, 'PATCH', `/openapi/messages/${records.message}`, { text: SECRET });
  const { pool } = stage.database;
  await pool.query('UPDATE tracking_sessions SET conversation_id = $1 WHERE id = $2', [
    records.conversation,
    records.tracking,
  ]);
  own = await stage.api.must(201, 'POST', '/openapi/conversations', { type: 'group', participant_ids: [] });
  const made = await asOwner('POST', '/keys', {
    name: 'Granted',
    scopes: [...apiKeyScopes],
    conversation_ids: [own.id],
  } as Json);
  expect([made.status, made.body.conversation_ids]).toEqual([201, [own.id]]);
  // The plan of the workspace limits a key to fewer requests than there are routes.
  await pool.query('UPDATE api_keys SET rate_limit = 0 WHERE id = $1', [made.body.id]);
  apiKey = made.body;
  key = String(made.body.key);
});
afterAll(async () => {
  await clients.close();
  await stage?.stop();
});

describe('a key with a grant', () => {
  it('finds nothing of another conversation on any route', { timeout: 300_000 }, async () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const route of everyRoute()) {
      const name = `${route.method} ${route.path}`;
      const path = fixturePath(route, records);
      if (path === undefined || route.success === 101 || route.path === '/openapi/events/stream') continue;
      const body = route.method === 'GET' ? undefined : (routeFixtures[name]?.body?.(records) ?? {});
      const answer = await asKey(route.method, path, body);
      asked += 1;
      const of = Object.values(routeFixtures[name]?.at ?? {});
      const belongs = of.some((at) =>
        ['conversation', 'message', 'delivery', 'call', 'tracking', 'link'].includes(at),
      );
      if (
        answer.text.includes(SECRET) ||
        answer.status >= 500 ||
        (belongs && ![403, 404].includes(answer.status))
      )
        wrong.push(`${name}: ${answer.status} ${answer.text.slice(0, 160)}`);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(60);
  });

  it('writes to its conversation, and opens no other', async () => {
    const write = (id: unknown) =>
      asKey('POST', '/openapi/messages', { conversation_id: id, text: 'Hi' } as Json);
    expect((await write(own.id)).status).toBe(201);
    const [outside, unknown] = [
      await write(records.conversation),
      await write('0197f3a0-0000-7000-8000-000000000000'),
    ];
    expect([outside.status, unknown.status]).toEqual([404, 404]);
    expect((await asKey('POST', '/openapi/conversations', { participant_ids: [] } as Json)).status).toBe(403);
    const to = { platform: 'sandbox', address: 'new-person' };
    const opened = await asKey('POST', '/openapi/messages', { to, text: 'Hi' } as Json);
    expect(opened.status).toBeGreaterThanOrEqual(400);
    expect(opened.status).toBeLessThan(500);
  });

  it('offers an agent only the tools and conversations of the grant', async () => {
    const agent = await clients.overHttp(stage.service.url, key);
    const names = (await agent.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('plan_broadcast');
    const read = await callTool(agent, 'read_conversation', { conversation: String(records.conversation) });
    expect(read.isError).toBe(true);
    const draft = { conversation: String(records.conversation), text: 'Hi' };
    expect((await callTool(agent, 'draft_message', draft)).isError).toBe(true);
  });

  it('replays no response from before a change of its grant, and repeats no effect', async () => {
    const other = await stage.api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const made = await asOwner('POST', '/keys', {
      name: 'Repeating',
      scopes: [...apiKeyScopes],
      conversation_ids: [own.id, other.id],
    } as Json);
    const repeated = () =>
      stage.anonymous.send('POST', '/openapi/messages', {
        headers: { 'x-api-key': String(made.body.key), 'idempotency-key': 'once' },
        body: { conversation_id: other.id, text: 'Of the former grant' } as Json,
      });
    const [first, second] = [await repeated(), await repeated()];
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    await asOwner('PATCH', `/keys/${made.body.id}`, { conversation_ids: [own.id] } as Json);
    await expect.poll(async () => (await repeated()).status).toBe(409);
    expect(reasonOf(await repeated())).toBe('idempotency_key_reused');
    expect((await repeated()).text).not.toContain('Of the former grant');
    const { data } = (await stage.api.get(`/openapi/messages?conversation_id=${other.id}`)).body;
    expect(data).toHaveLength(1);
  });

  it('can keep a deleted conversation in its grant, but cannot add a missing one', async () => {
    const other = await stage.api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const change = async (...ids: unknown[]) => {
      const answer = await asOwner('PATCH', `/keys/${apiKey.id}`, {
        conversation_ids: ids,
      } as unknown as Json);
      return answer.status;
    };
    expect(await change(own.id, other.id)).toBe(200);
    await stage.api.must(204, 'DELETE', `/openapi/conversations/${other.id}`);
    expect(await change(own.id, '0197f3a0-0000-7000-8000-000000000000')).toBe(404);
    expect(await change(other.id, own.id)).toBe(200);
    expect((await asKey('GET', `/openapi/conversations/${other.id}`)).status).toBe(404);
    expect(await change(own.id)).toBe(200);
    expect(await change(own.id, other.id)).toBe(404);
    expect(await change()).toBe(400);
  });

  it('has each change of its grant in the audit log', async () => {
    const log = await stage.anonymous.get('/dashboard/api/audit-log', { headers: asPerson(stage.owner) });
    const changes = (log.body.data as Json[]).filter(({ action }) => action === 'api_key.grant_changed');
    expect(changes.length).toBeGreaterThan(1);
    expect(changes).toContainEqual(
      expect.objectContaining({ object: expect.objectContaining({ id: apiKey.id }) }),
    );
  });

  it('cannot register a webhook, and those registered before its grant are disabled', async () => {
    const made = await asOwner('POST', '/keys', { name: 'Hooks', scopes: [...apiKeyScopes] } as Json);
    const hook = { url: 'https://hooks.example.test/in', events: ['messages'] };
    const register = () =>
      stage.anonymous.send('POST', '/api/webhooks', {
        headers: { 'x-api-key': String(made.body.key) },
        body: hook,
      });
    const { body } = await register();
    expect(
      (await asOwner('PATCH', `/keys/${made.body.id}`, { conversation_ids: [own.id] } as Json)).status,
    ).toBe(200);
    const { body: disabled } = await stage.api.get(`/api/webhooks/${body.id}`);
    expect(disabled).toMatchObject({ status: 'auto_disabled', disabled_reason: 'requested' });
    expect((await register()).status).toBe(403);
  });

  it('receives a gap in an open stream when its grant changes, and sees the new conversation immediately', async () => {
    const stream = await TestStream.open(stage.service.url, { key, query: '?events=messages' });
    await stage.api.must(201, 'POST', '/openapi/messages', {
      conversation_id: records.conversation,
      text: SECRET,
    });
    await stage.api.must(201, 'POST', '/openapi/messages', { conversation_id: own.id, text: 'After' });
    await stream.until((frames) => JSON.stringify(frames).includes('After'));
    expect(JSON.stringify(stream.frames)).not.toContain(SECRET);
    const grant = { conversation_ids: [records.conversation] } as unknown as Json;
    expect((await asOwner('PATCH', `/keys/${apiKey.id}`, grant)).status).toBe(200);
    await stream.until((frames) => frames.some(({ event }) => event === 'stream.gap'));
    stream.close();
    expect((await asKey('GET', `/openapi/conversations/${own.id}`)).status).toBe(404);
    expect((await asKey('GET', `/openapi/conversations/${records.conversation}`)).status).toBe(200);
    const freed = await asOwner('PATCH', `/keys/${apiKey.id}`, { conversation_ids: null } as Json);
    expect([freed.status, 'conversation_ids' in freed.body]).toEqual([200, false]);
    expect((await asKey('GET', `/openapi/conversations/${own.id}`)).status).toBe(200);
  });
});
