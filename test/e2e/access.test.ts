import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';
const UNAUTHORIZED = { error: 'unauthorized', message: 'Missing or invalid credentials.' };

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  service = await shareService();
  api = service.client();
});

describe('a request without a valid credential', () => {
  it('receives the same 401 for every reason', async () => {
    const broken = `${service.key.slice(0, -1)}${service.key.endsWith('a') ? 'b' : 'a'}`;
    const headers = [
      {},
      { 'x-api-key': '' },
      { 'x-api-key': 'tl_live_x' },
      { 'x-api-key': broken },
      { 'x-api-key': generateApiKey('live').key },
      { 'x-api-key': generateApiKey('test').key },
      { 'x-api-key': `${service.key}, ${service.key}` },
      { authorization: `ApiKey ${service.key}` },
    ];
    const client = service.client('');
    for (const sent of headers) {
      const answer = await client.get('/openapi/messages', { headers: { 'x-api-key': undefined, ...sent } });
      expect([answer.status, answer.body, answer.headers['www-authenticate']]).toEqual([
        401,
        UNAUTHORIZED,
        'ApiKey',
      ]);
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    }
    const bearer = await client.get('/openapi/messages', {
      headers: { 'x-api-key': undefined, authorization: 'Bearer tl_at_nope' },
    });
    expect([bearer.status, bearer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    const both = await api.get('/openapi/messages', { headers: { authorization: 'Bearer tl_at_nope' } });
    expect([both.status, both.body]).toEqual([401, UNAUTHORIZED]);
  });

  it('is not authenticated by a key in the address or the body', async () => {
    const client = service.client('');
    const none = { headers: { 'x-api-key': undefined } };
    expect(
      (await client.get(`/openapi/messages?api_key=${service.key}&X-API-Key=${service.key}`, none)).status,
    ).toBe(401);
    expect((await client.post('/openapi/messages', { 'X-API-Key': service.key }, none)).status).toBe(401);
  });

  it('is refused with 401 before any other error is reported', async () => {
    const client = service.client('');
    const none = { headers: { 'x-api-key': undefined } };
    expect((await client.get('/openapi/nothing/here', none)).status).toBe(401);
    expect((await client.get('/openapi/messages?version=9', none)).status).toBe(401);
    expect((await client.send('DELETE', '/v7/api/webhooks', none)).status).toBe(401);
    expect((await client.post('/openapi/messages', '{', none)).status).toBe(401);
  });

  it('is refused within a second after its key was revoked', async () => {
    const client = service.client(await service.createKey());
    await client.must(200, 'GET', '/openapi/status');
    const answered = await eventually(
      async () => service.log.filter(({ route }) => route === '/openapi/status').at(-1),
      (line) => line !== undefined,
    );
    await service.run('keys', 'revoke', String(answered?.credential_id));
    await eventually(
      () => client.get('/openapi/status'),
      ({ status }) => status === 401,
    );
  });
});

describe('scopes', () => {
  it('are independent, and a 403 lists the needed and the present ones, sorted', async () => {
    const client = service.client(await service.createKey({ scopes: 'profile:read,messages:write' }));
    const provided = ['messages:write', 'profile:read'];
    const wanted: [string, string, string[]][] = [
      ['GET', '/openapi/messages', ['messages:read']],
      ['GET', '/openapi/conversations/1', ['conversations:read']],
      ['POST', '/openapi/conversations', ['conversations:write']],
      ['PATCH', '/openapi/users/me', ['profile:write']],
      ['GET', '/openapi/broadcasts', ['broadcasts:read']],
      ['POST', '/openapi/broadcasts', ['broadcasts:write']],
      ['GET', '/openapi/platforms', ['platforms:read']],
      ['POST', '/openapi/platforms/telegram/connections', ['platforms:write']],
      ['GET', '/openapi/protocols', ['protocols:read']],
    ];
    for (const [method, path, required] of wanted) {
      const answer = await client.send(method, path, method === 'GET' ? {} : { body: {} });
      expect([answer.status, answer.body]).toEqual([
        403,
        { error: 'access_denied', message: `Missing scope ${required[0]}.`, details: { required, provided } },
      ]);
    }
    await client.must(200, 'GET', '/openapi/users/me');
    await client.must(404, 'POST', '/openapi/messages', { conversation_id: NOBODY, text: 'x' });
    await client.must(200, 'GET', '/openapi/status');
  });

  it('are checked after the path and the version, and before the body and the existence of the record', async () => {
    const client = service.client(await service.createKey({ scopes: 'tv:read' }));
    expect((await client.post('/openapi/messages', '{')).status).toBe(403);
    expect((await client.get(`/openapi/messages/${NOBODY}`)).status).toBe(403);
    expect((await client.get('/openapi/messages?limit=0')).status).toBe(403);
    expect((await client.get('/openapi/nothing')).status).toBe(404);
    expect((await client.get('/openapi/messages?version=3')).status).toBe(400);
  });
});

describe('the hourly limit', () => {
  it('counts each request once, whatever its status, and refuses requests over the limit with 429', async () => {
    const client = service.client(await service.createKey({ rateLimit: 4, scopes: 'messages:read' }));
    const paths = ['/openapi/status', '/openapi/nothing', '/openapi/users/me', '/openapi/messages?limit=0'];
    const reset = String(Math.floor(Date.now() / 3_600_000) * 3_600 + 3_600);
    for (const [at, path] of paths.entries()) {
      const { headers, status } = await client.get(path);
      expect(status).toBe([200, 404, 403, 400][at]);
      expect([
        headers['x-ratelimit-limit'],
        headers['x-ratelimit-remaining'],
        headers['x-ratelimit-reset'],
      ]).toEqual(['4', String(3 - at), reset]);
    }
    const refused = await client.get('/openapi/status?version=9');
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'rate_limit_exceeded', details: { limit: 4, reset: Number(reset) } },
    });
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '4',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': reset,
    });
    const wait = Number(refused.headers['retry-after']);
    expect(Math.abs(wait - (Number(reset) - Date.now() / 1_000))).toBeLessThan(2);
  });

  it('is exact under parallel requests, and separate for each key', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(async () => service.client(await service.createKey({ rateLimit: 10 }))),
    );
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => (one as ApiClient).get('/openapi/status')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    expect((await (two as ApiClient).get('/openapi/status')).headers['x-ratelimit-remaining']).toBe('9');
  });

  it('is a billion for an unlimited key', async () => {
    const { headers } = await api.get('/openapi/status');
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
      '1000000000',
      '1000000000',
    ]);
  });
});

describe('a record of another workspace', () => {
  it('is 404 wherever its ids appear', async () => {
    const other = service.client(await service.createKey({ test: true }));
    const user = await api.must(201, 'POST', '/openapi/users', { display_name: 'Mine' });
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [],
      message: { text: 'mine' },
    });
    const message = (conversation.last_message as Json).id;
    const broadcast = await api.must(201, 'POST', '/openapi/broadcasts', {
      draft: true,
      text: 'x',
      recipient_ids: [user.id],
    });
    const hook = await api.must(201, 'POST', '/api/webhooks', {
      url: 'https://example.com/',
      events: ['messages'],
    });
    const connection = await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
      name: 'x',
      enabled: false,
      credentials: { bot_token: '1000:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    });
    const requests: [string, string, Json?][] = [
      ['GET', `/openapi/users/${user.id}`],
      ['PATCH', `/openapi/users/${user.id}`, { display_name: 'x' }],
      ['GET', `/openapi/conversations/${conversation.id}`],
      ['PATCH', `/openapi/conversations/${conversation.id}`, { title: 'x' }],
      ['DELETE', `/openapi/conversations/${conversation.id}`],
      ['GET', `/openapi/conversations/${conversation.id}/links`],
      ['GET', `/openapi/conversations/${conversation.id}/participants`],
      ['POST', `/openapi/conversations/${conversation.id}/participants`, { user_id: user.id }],
      ['GET', `/openapi/messages?conversation_id=${conversation.id}`],
      ['POST', '/openapi/messages', { conversation_id: conversation.id, text: 'x' }],
      ['GET', `/openapi/messages/${message}`],
      ['PATCH', `/openapi/messages/${message}`, { text: 'x' }],
      ['DELETE', `/openapi/messages/${message}`],
      ['GET', `/openapi/broadcasts/${broadcast.id}`],
      ['PATCH', `/openapi/broadcasts/${broadcast.id}`, { name: 'x' }],
      ['DELETE', `/openapi/broadcasts/${broadcast.id}`],
      ['POST', `/openapi/broadcasts/${broadcast.id}/start`],
      ['GET', `/openapi/broadcasts/${broadcast.id}/recipients`],
      ['POST', '/openapi/broadcasts', { text: 'x', recipient_ids: [user.id] }],
      ['GET', `/api/webhooks/${hook.id}`],
      ['PATCH', `/api/webhooks/${hook.id}`, { description: 'x' }],
      ['DELETE', `/api/webhooks/${hook.id}`],
      ['POST', `/api/webhooks/${hook.id}/test`],
      ['POST', `/api/webhooks/${hook.id}/rotate-secret`],
      ['GET', `/api/webhooks/${hook.id}/deliveries`],
      ['GET', `/openapi/platforms/connections/${connection.id}`],
      ['POST', `/openapi/platforms/connections/${connection.id}/test`],
      ['POST', `/openapi/platforms/connections/${connection.id}/reconnect`],
      ['POST', '/openapi/conversations', { links: [{ connection_id: connection.id, external_id: '1' }] }],
      ['POST', '/openapi/conversations', { participant_ids: [user.id] }],
    ];
    for (const [method, path, body] of requests) {
      const answer = await other.send(method, path, { body });
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 404`);
    }
    for (const path of [
      '/openapi/messages',
      '/openapi/conversations',
      '/openapi/broadcasts',
      '/api/webhooks',
    ]) {
      expect(await other.must(200, 'GET', path)).toMatchObject({ data: [], meta: { total_items: 0 } });
    }
    const all = await other.must<{ data: Json[] }>(200, 'GET', '/openapi/users');
    expect(all.data.map(({ kind }) => kind)).toEqual(['member']);
  });
});

describe('requests without a key', () => {
  const open = () => service.client('');
  const none = { headers: { 'x-api-key': undefined } };

  it('can read health, readiness and the API description', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect(await open().get(path, none)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await open().send('HEAD', path, none)).toMatchObject({ status: 200, text: '' });
    }
    const described = await open().get('/openapi.json', none);
    expect(described).toMatchObject({ status: 200, body: { openapi: '3.1.0', info: { version: '1.0' } } });
    expect(await open().get('/openapi.json?version=2.0', none)).toMatchObject({
      body: { info: { version: '2.0' } },
    });
    for (const version of ['3', '1.0%00', '%ff', '']) {
      const wrong = await open().get(`/openapi.json?version=${version}`, none);
      expect(wrong).toMatchObject({ status: 400, body: { details: { supported: ['1.0', '2.0'] } } });
    }
  });

  it('receive 404 with the error body for every other path', async () => {
    for (const path of [
      '/nothing',
      '/v1',
      '/v1/nothing',
      '/openapi.yaml',
      '/HEALTHZ',
      '/healthz/',
      '//healthz',
    ]) {
      const answer = await open().get(path, none);
      expect([path, answer.status, answer.body.error]).toEqual([path, 404, 'not_found']);
    }
  });
});
