import type { FastifyPluginAsync, InjectOptions } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OAuthScope } from '../../../src/core/access/scopes.js';
import type { Authenticate } from '../../../src/core/authentication/authenticate.js';
import { accessDenied } from '../../../src/core/common/errors.js';
import { dashboardMount } from '../../../src/http/endpoint.js';
import { ALL, callerWith, Notes, testServer } from '../../support/http.js';
import { recordingLog } from '../../support/log.js';

const callers = {
  all: ALL,
  reader: callerWith(['messages:read']),
  once: callerWith(['messages:read'], { rateLimit: 1 }),
  'token-reader': callerWith(['messages:read', 'conversations:read'], {
    credential: { kind: 'oauth', id: '019b76da-a800-7000-8000-0000000000f2' },
    oauthScopes: new Set<OAuthScope>(['messages.read']),
  }),
  stranger: callerWith([], { workspaceId: '019b76da-a800-7000-8000-000000000002' }),
};
const key = { 'x-api-key': 'all' };
const NOWHERE = '019b76da-a800-7000-8000-00000000dead';
const UNAUTHORIZED = { error: 'unauthorized', message: 'Missing or invalid credentials.' };

let notes: Notes;
let log: ReturnType<typeof recordingLog>;
let server: ReturnType<typeof testServer>;
const send = (options: InjectOptions) => server.inject(options);
const post = (payload: unknown, more: InjectOptions = {}) =>
  send({ method: 'POST', url: '/v1/openapi/notes', headers: key, payload: payload as object, ...more });

beforeEach(() => {
  notes = new Notes();
  log = recordingLog();
  server = testServer(notes.routes(), callers, { log, now: () => Date.UTC(2026, 0, 1, 10, 15) });
});

describe('the order of checks', () => {
  const broken = { payload: '{', headers: { 'content-type': 'application/json' } };
  it.each<[string, InjectOptions, number]>([
    ['credentials before everything', { method: 'POST', url: '/v3/openapi/nope?version=9', ...broken }, 401],
    ['versions before the path', { method: 'POST', url: '/v3/openapi/nope', headers: key }, 400],
    [
      'the path before scopes',
      { method: 'PUT', url: '/openapi/notes', headers: { 'x-api-key': 'reader' } },
      404,
    ],
    [
      'scopes before the idempotency key',
      { method: 'POST', url: '/openapi/notes', headers: { 'x-api-key': 'reader', 'idempotency-key': 'é' } },
      403,
    ],
    [
      'the idempotency key before the body',
      {
        method: 'POST',
        url: '/openapi/notes',
        headers: { ...key, 'idempotency-key': 'x'.repeat(256), 'content-type': 'text/plain' },
        payload: 'x',
      },
      400,
    ],
    [
      'the body before the id in the path',
      { method: 'PATCH', url: `/openapi/notes/${NOWHERE}`, headers: key, payload: { text: 1 } },
      400,
    ],
    ['the id at last', { method: 'PATCH', url: `/openapi/notes/${NOWHERE}`, headers: key, payload: {} }, 404],
  ])('puts %s', async (_, request, status) => {
    expect((await send(request)).statusCode).toBe(status);
  });

  it('counts a request against the rate limit before it checks versions', async () => {
    const url = '/openapi/notes?version=9';
    expect((await send({ url, headers: { 'x-api-key': 'once' } })).statusCode).toBe(400);
    const refused = await send({ url, headers: { 'x-api-key': 'once' } });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({
      'retry-after': '2700',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.UTC(2026, 0, 1, 11) / 1000),
    });
    expect(refused.json()).toEqual({
      error: 'rate_limit_exceeded',
      message: 'Rate limit exceeded.',
      details: { limit: 1, reset: Date.UTC(2026, 0, 1, 11) / 1000 },
    });
  });
});

describe('credentials', () => {
  it('are refused with one body, whatever is wrong', async () => {
    for (const headers of [
      {},
      { 'x-api-key': '' },
      { 'x-api-key': 'nobody' },
      { 'x-api-key': ['all', 'all'] },
    ]) {
      const answer = await send({ url: '/v1/openapi/notes', headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual(UNAUTHORIZED);
      expect(answer.headers['www-authenticate']).toBe('ApiKey');
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    }
    const bearer = await send({ url: '/openapi/notes', headers: { authorization: 'Bearer nope' } });
    expect(bearer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(bearer.json()).toEqual(UNAUTHORIZED);
  });

  it('are not read from the query or the body', async () => {
    expect((await send({ url: '/openapi/notes?X-API-Key=all&api_key=all' })).statusCode).toBe(401);
  });

  it('need the scopes of the key, the OAuth scopes of the token, or both if both are sent', async () => {
    const denied = await post({ text: 'x' }, { headers: { 'x-api-key': 'reader' } });
    expect(denied.statusCode).toBe(403);
    expect(denied.json()).toEqual({
      error: 'access_denied',
      message: 'Missing scope messages:write.',
      details: { required: ['messages:write'], provided: ['messages:read'] },
    });
    const token = { authorization: 'Bearer token-reader' };
    expect((await send({ url: '/openapi/notes', headers: token })).statusCode).toBe(200);
    expect((await post({ text: 'x' }, { headers: token })).json().details).toEqual({
      required: ['messages.write'],
      provided: ['messages.read'],
    });
    const uncovered = await send({ url: `/openapi/notes/${NOWHERE}`, headers: token });
    expect(uncovered.json().details).toEqual({
      required: ['messages:read', 'messages:write'],
      provided: ['messages.read'],
    });
    expect((await send({ url: '/openapi/notes', headers: { ...key, ...token } })).statusCode).toBe(200);
    expect((await post({ text: 'x' }, { headers: { ...key, ...token } })).statusCode).toBe(403);
  });

  it('of different workspaces cannot be combined', async () => {
    const headers = { 'x-api-key': 'stranger', authorization: 'Bearer token-reader' };
    expect((await send({ url: '/openapi/notes', headers })).statusCode).toBe(401);
  });

  it('that fail more than 600 times a minute from one address receive 429, and valid ones do not', async () => {
    for (let failures = 0; failures < 600; failures += 1) await send({ url: '/openapi/notes' });
    const limited = await send({ url: '/openapi/notes' });
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe('60');
    expect((await send({ url: '/openapi/notes', headers: key })).statusCode).toBe(200);
  });
});

describe('headers', () => {
  it('of an API response state its version, caching and rate limit', async () => {
    const answer = await send({ url: '/v2/openapi/notes', headers: key });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-api-version': '2.0',
      vary: 'Accept-Version, X-API-Version',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-ratelimit-limit': '1000000000',
      'x-ratelimit-remaining': '1000000000',
    });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('state version 1.0 while the version is undecided', async () => {
    expect((await send({ url: '/v2/openapi/notes' })).headers['x-api-version']).toBe('1.0');
  });

  it('repeat a request id that is well-formed and replace any other', async () => {
    const id = async (sent: string, url: string) =>
      (await send({ url, headers: { 'x-request-id': sent } })).headers['x-request-id'];
    for (const url of ['/openapi/notes', '/nowhere', '/healthz', '/openapi/notes/%zz']) {
      expect(await id('abc.DEF_1-2', url)).toBe('abc.DEF_1-2');
      expect(await id('with space', url)).toMatch(/^[0-9a-f-]{36}$/);
      expect(await id('x'.repeat(129), url)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('paths', () => {
  it.each(['', '/v1', '/v2'])('are served under "%s"', async (prefix) => {
    const note = notes.add('x');
    expect((await send({ url: `${prefix}/openapi/notes/${note.id}`, headers: key })).statusCode).toBe(200);
  });

  it('accept ids in any letter case', async () => {
    const note = notes.add('x');
    const answer = await send({ url: `/openapi/notes/${note.id.toUpperCase()}`, headers: key });
    expect(answer.json().id).toBe(note.id);
  });

  it.each([
    '/openapi/notes/',
    '/openapi//notes',
    '//openapi/notes',
    '/openapi/Notes',
    '/openapi%2Fnotes',
    '/openapi/%6eotes',
    '/openapi/notes/..',
    '/openapi/notes/%2e%2e',
    '/openapi/notes/a%2fb',
    '/openapi/notes/%zz',
    '/openapi/notes/not-an-id',
    '/openapi/nope',
    '/api',
    '/v1/v1/openapi/notes',
  ])('that are not exact are 404: %s', async (url) => {
    const answer = await send({ url, headers: key });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().error).toBe('not_found');
  });

  it('behind authentication do not reveal what exists to unauthenticated clients', async () => {
    for (const url of ['/openapi/nope', '/v1/api/nope', '/openapi/notes/%zz', '/v7/openapi/notes']) {
      expect((await send({ url })).statusCode).toBe(401);
    }
    expect((await send({ url: '/elsewhere' })).statusCode).toBe(404);
  });

  it('answer HEAD as GET and no unlisted method', async () => {
    expect((await send({ method: 'HEAD', url: '/openapi/notes', headers: key })).statusCode).toBe(200);
    for (const method of ['OPTIONS', 'PUT', 'TRACE'] as const) {
      expect((await send({ method: method as 'PUT', url: '/openapi/notes', headers: key })).statusCode).toBe(
        404,
      );
    }
  });
});

describe('bodies', () => {
  const json = { ...key, 'content-type': 'application/json' };
  it.each<[string, InjectOptions, string, string]>([
    [
      'of another type',
      { headers: { ...key, 'content-type': 'text/plain' }, payload: '{}' },
      '',
      'unsupported',
    ],
    ['without type', { headers: key, payload: Buffer.from('{}') }, '', 'unsupported'],
    [
      'with a type that is none',
      { headers: { ...key, 'content-type': ';;' }, payload: '{}' },
      '',
      'unsupported',
    ],
    [
      'in another charset',
      { headers: { ...key, 'content-type': 'application/json; charset=latin1' }, payload: '{}' },
      '',
      'unsupported',
    ],
    ['that are no JSON', { headers: json, payload: '{"text":' }, '', 'malformed'],
    ['that are no UTF-8', { headers: json, payload: Buffer.from([0x7b, 0xff, 0x7d]) }, '', 'malformed'],
    ['that are an array', { headers: json, payload: '[]' }, '', 'invalid_type'],
    ['that are null', { headers: json, payload: 'null' }, '', 'invalid_type'],
    [
      'nested too deep',
      { headers: json, payload: `{"a":${'['.repeat(32)}${']'.repeat(32)}}` },
      '',
      'malformed',
    ],
    ['of many objects', { headers: json, payload: `{"a":[${'{},'.repeat(25_000)}{}]}` }, '', 'too_many'],
    [
      'of many different names',
      { headers: json, payload: `{${Array.from({ length: 10_001 }, (_, at) => `"n${at}":0`).join()}}` },
      '',
      'too_many',
    ],
    [
      'of lists within lists, before they are parsed,',
      { headers: json, payload: '['.repeat(100_000) },
      '',
      'malformed',
    ],
    ['with U+0000', { headers: json, payload: '{"metadata":{"a":"\\u0000"}}' }, 'metadata.a', 'malformed'],
    [
      'with an infinite number',
      { headers: json, payload: '{"metadata":{"a":[-1e400]}}' },
      'metadata.a.0',
      'too_large',
    ],
    ['with half a surrogate pair', { headers: json, payload: '{"text":"\\ud800"}' }, 'text', 'malformed'],
    ['over 1 MiB', { headers: json, payload: `{"text":"${'x'.repeat(1_048_576)}"}` }, '', 'too_large'],
    ['without a required field', { headers: json, payload: '' }, 'text', 'required'],
    ['with a wrong type', { headers: json, payload: '{"text":5}' }, 'text', 'invalid_type'],
    ['with null', { headers: json, payload: '{"text":null}' }, 'text', 'invalid_type'],
    ['too short', { headers: json, payload: '{"text":""}' }, 'text', 'too_short'],
    ['too long', { headers: json, payload: `{"text":"${'x'.repeat(21)}"}` }, 'text', 'too_long'],
    ['too small', { headers: json, payload: '{"text":"x","size":-1}' }, 'size', 'too_small'],
    ['too large', { headers: json, payload: '{"text":"x","size":11}' }, 'size', 'too_large'],
    ['not whole', { headers: json, payload: '{"text":"x","size":1.5}' }, 'size', 'invalid_type'],
    ['not listed', { headers: json, payload: '{"text":"x","color":"green"}' }, 'color', 'invalid_value'],
    [
      'too many',
      { headers: json, payload: '{"text":"x","tags":[{"name":"a"},{"name":"b"},{"name":"c"}]}' },
      'tags',
      'too_many',
    ],
    [
      'wrong inside',
      { headers: json, payload: '{"text":"x","tags":[{"name":1}]}' },
      'tags.0.name',
      'invalid_type',
    ],
  ])('%s are 400', async (_, options, field, code) => {
    const answer = await send({ method: 'POST', url: '/openapi/notes', ...options });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details.fields[0]).toMatchObject({
      field,
      code,
      message: expect.stringMatching(/./),
    });
    expect(answer.json().error).toBe('invalid_request');
  });

  it('may name their charset', async () => {
    const headers = { ...key, 'content-type': 'application/json; charset=UTF-8' };
    expect((await post('{"text":"ünï"}', { headers })).json().text).toBe('ünï');
  });

  it('are ignored on GET and DELETE', async () => {
    const note = notes.add('x');
    const request = { url: `/openapi/notes/${note.id}`, headers: json, payload: '{' };
    expect((await send({ ...request, method: 'GET' })).statusCode).toBe(200);
    const answer = await send({ ...request, method: 'DELETE', payload: 'x'.repeat(2_000_000) });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers['content-type']).toBeUndefined();
  });

  it('cannot change prototypes', async () => {
    const payload = '{"text":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await post(payload, { headers: json });
    expect(answer.json().details.fields).toMatchObject([
      { field: '__proto__', code: 'unknown_field' },
      { field: 'constructor', code: 'unknown_field' },
    ]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('may contain any name in metadata, also names of JavaScript object members', async () => {
    const metadata = '{"__proto__":"x","constructor":{"__proto__":{"polluted":1}},"ok":1}';
    const answer = await post(`{"text":"x","metadata":${metadata}}`, { headers: json });
    expect(answer.statusCode).toBe(201);
    expect(answer.body).toContain(`"metadata":${metadata}`);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const refused = await post('{"text":"x","metadata":["__proto__"]}', { headers: json });
    expect(refused.json().details.fields).toMatchObject([{ field: 'metadata', code: 'invalid_type' }]);
  });

  it('of PATCH may be empty, but may not contain read-only fields', async () => {
    const note = notes.add('x');
    const url = `/openapi/notes/${note.id}`;
    const patch = (payload: object | undefined) =>
      send({ method: 'PATCH', url, headers: key, ...(payload && { payload }) });
    expect((await patch(undefined)).statusCode).toBe(200);
    expect((await patch({ nothing: 1 })).json().details.fields).toMatchObject([
      { field: 'nothing', code: 'unknown_field' },
    ]);
    const refused = await patch({ id: note.id, created_at: note.created_at });
    expect(
      refused.json().details.fields.map((one: { field: string; code: string }) => [one.field, one.code]),
    ).toEqual([
      ['id', 'read_only'],
      ['created_at', 'read_only'],
    ]);
  });

  it.each(['/openapi/notes', '/v2/openapi/notes'])(
    'with unknown or read-only fields are refused under %s, also inside of other fields',
    async (url) => {
      const sent = { text: 'x', colour: 'red', id: 'x', createdAt: 'x', tags: [{ name: 'a', nmae: 'b' }] };
      const answer = await post({ ...sent, metadata: { anything: { goes: 1 } } }, { url });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().details.fields).toEqual([
        { field: 'id', code: 'read_only', message: 'This field cannot be written.' },
        expect.objectContaining({
          field: 'colour',
          code: 'unknown_field',
          message: expect.stringContaining('is color.'),
        }),
        expect.objectContaining({ field: 'createdAt', code: 'unknown_field' }),
        expect.objectContaining({
          field: 'tags.0.nmae',
          code: 'unknown_field',
          message: expect.stringContaining('is tags.0.name.'),
        }),
      ]);
      expect(notes.items).toEqual([]);
    },
  );

  it('with very many unknown fields are refused with the first 50 of them', async () => {
    const sent = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`field_${at}`, at]));
    const answer = await post({ text: 'x', ...sent });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details.fields).toHaveLength(50);
  });

  it('in multipart form arrive as fields and files', async () => {
    const form = new FormData();
    form.set('name', 'Ünï');
    form.set('file', new File(['hello'], 'a.txt', { type: 'text/plain' }));
    const encoded = new Response(form);
    const headers = { ...key, 'content-type': encoded.headers.get('content-type') ?? '' };
    const payload = Buffer.from(await encoded.arrayBuffer());
    const answer = await send({ method: 'POST', url: '/openapi/notes/import', headers, payload });
    expect(answer.json()).toEqual({
      fields: { name: 'Ünï' },
      file: { name: 'a.txt', mimeType: 'text/plain', size: 5 },
    });
    const request = { method: 'POST', url: '/openapi/notes/import', headers } as const;
    expect((await send({ ...request, payload: payload.subarray(0, -20) })).statusCode).toBe(400);
    const large = new FormData();
    large.set('name', 'x');
    large.set('file', new Blob(['x'.repeat(70_000)]), 'a.txt');
    const tooLarge = new Response(large);
    const sent = await send({
      ...request,
      headers: { ...key, 'content-type': tooLarge.headers.get('content-type') ?? '' },
      payload: Buffer.from(await tooLarge.arrayBuffer()),
    });
    expect(sent.json().details.fields[0]).toMatchObject({ field: 'file', code: 'too_large' });
    expect((await send({ ...request, headers: json, payload: '{}' })).json().details.fields[0].code).toBe(
      'unsupported',
    );
  });
});

describe('multipart forms', () => {
  it('accept only UTF-8 in fields', async () => {
    const headers = { ...key, 'content-type': 'multipart/form-data; boundary=b' };
    const head = '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\n';
    const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx';
    const importing = (name: Buffer) =>
      send({
        method: 'POST',
        url: '/openapi/notes/import',
        headers,
        payload: Buffer.concat([Buffer.from(head), name, Buffer.from(`\r\n${file}\r\n--b--\r\n`)]),
      });
    const refused = await importing(Buffer.from([0x41, 0xff]));
    expect(refused.json().details.fields).toMatchObject([{ field: 'name', code: 'malformed' }]);
    expect((await importing(Buffer.from('\ufffd'))).json().fields).toEqual({ name: '\ufffd' });
  });
});

describe('queries', () => {
  it.each([
    ['limit=1&limit=1', 'limit', 'duplicate'],
    ['x=%zz', '', 'malformed'],
    ['x=%ff', '', 'malformed'],
    ['x=%00', '', 'malformed'],
    ['about=nope', 'about', 'invalid_format'],
    [`x=${'y'.repeat(8_192)}`, '', 'too_long'],
  ])('with %s are 400', async (query, field, code) => {
    const answer = await send({ url: `/openapi/notes?${query}`, headers: key });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details.fields[0]).toMatchObject({ field, code });
  });

  it.each(['/openapi', '/v1/openapi', '/v2/openapi'])(
    'with an unknown parameter are refused under %s',
    async (base) => {
      const answer = await send({ url: `${base}/notes?nope=1`, headers: key });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().details.fields).toMatchObject([{ field: 'nope', code: 'unknown_field' }]);
    },
  );

  it.each([
    ['abuot=x', 'about'],
    ['per_page=5', 'limit'],
    ['Limit=5', 'limit'],
    ['sort_by=size', 'sort'],
    ['size=5', 'filter=size:value'],
    ['text=x', 'filter=text:value'],
    ['after=x', 'cursor'],
  ])('with %s name the nearest known parameter', async (query, nearest) => {
    const answer = await send({ url: `/v1/openapi/notes?${query}`, headers: key });
    expect(answer.json().details.fields).toMatchObject([{ code: 'unknown_field' }]);
    expect(answer.json().details.fields[0].message).toMatch(
      new RegExp(`nearest known parameter is .*${nearest}`),
    );
  });

  it('may contain version everywhere, and expand on reads, where 1.0 ignores it', async () => {
    const note = notes.add('x');
    const reading = await send({ url: '/openapi/notes?version=1.0&expand=nope', headers: key });
    expect(reading.statusCode).toBe(200);
    const writing = (query: string) => post({ text: 'x' }, { url: `/openapi/notes?${query}` });
    expect((await writing('version=1.0')).statusCode).toBe(201);
    expect((await writing('expand=author')).json().details.fields).toMatchObject([
      { field: 'expand', code: 'unknown_field' },
    ]);
    const one = await send({ url: `/openapi/notes/${note.id}?limit=1`, headers: key });
    expect(one.json().details.fields).toMatchObject([{ field: 'limit', code: 'unknown_field' }]);
    expect(one.json().message).toContain('version');
  });

  it('with headers over 16 KiB are 400', async () => {
    const answer = await send({ url: '/openapi/notes', headers: { ...key, 'x-long': 'x'.repeat(16_384) } });
    expect(answer.json().details.fields[0].code).toBe('too_large');
  });
});

describe('version 2.0', () => {
  it('has its own error format', async () => {
    const missing = await send({ url: `/v2/openapi/notes/${NOWHERE}`, headers: key });
    expect(missing.json()).toEqual({
      error: 'not_found',
      message: 'The note does not exist.',
      code: 'not_found',
      errors: [],
    });
    const taken = await post({ text: 'taken' }, { url: '/v2/openapi/notes' });
    expect(taken.json()).toMatchObject({ error: 'conflict', code: 'already_exists', errors: [] });
  });

  it('refuses unknown fields at any depth, and unknown names in expand', async () => {
    const answer = await post(
      { text: 'x', nope: 1, tags: [{ name: 'a', deep: 1 }], metadata: { any: 1 } },
      { url: '/v2/openapi/notes' },
    );
    expect(answer.json().errors.map((one: { field: string }) => one.field)).toEqual(['nope', 'tags.0.deep']);
    const note = notes.add('x');
    const read = (names: string) =>
      send({ url: `/v2/openapi/notes/${note.id}?expand=${names}`, headers: key });
    expect((await read('author')).statusCode).toBe(200);
    expect((await read('author,nope')).json().errors[0]).toMatchObject({
      field: 'expand',
      code: 'invalid_value',
    });
  });
});

describe('defects', () => {
  it('are answered with the request id only, and logged with their cause', async () => {
    const answer = await send({ url: '/api/broken', headers: { ...key, 'x-request-id': 'r1' } });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      error: 'server_error',
      message: 'Unexpected server error.',
      details: { request_id: 'r1' },
    });
    const line = log.lines.find((one) => one.event === 'request.failed');
    expect(line?.fields).toMatchObject({
      request_id: 'r1',
      err: expect.objectContaining({ message: 'secret detail' }),
    });
  });

  it.each([
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Failed query', { cause: Object.assign(new Error('x'), { code: '08006' }) }),
  ])('of the database connection are 503', async (error) => {
    notes.beforeCreate = () => Promise.reject(error);
    const answer = await post({ text: 'x' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ error: 'service_unavailable', details: { reason: 'database' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('leave one line per request in the log, without query and key', async () => {
    await send({ url: '/v1/openapi/notes?filter=text:secret', headers: key });
    const lines = log.lines.filter((one) => one.event === 'request.answered');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.fields).toMatchObject({ method: 'GET', route: '/v1/openapi/notes', status: 200 });
    expect(JSON.stringify(lines)).not.toMatch(/secret|all/);
  });
});

describe('the dashboard', () => {
  it('has the same routes behind its session, and its own refusals', async () => {
    const session: Authenticate = async ({ method, header }) => {
      if (header('cookie') !== 'tl_session=s') return undefined;
      if (method !== 'GET' && header('x-csrf-token') !== 't') throw accessDenied(['csrf'], []);
      return { ...ALL, credential: { kind: 'session', id: '019b76da-a800-7000-8000-0000000000f3' } };
    };
    server = testServer([], {}, { mounts: [dashboardMount(notes.routes(), session)] });
    const url = '/dashboard/api/openapi/notes';
    const cookie = 'tl_session=s';
    expect((await send({ url })).statusCode).toBe(401);
    expect((await send({ url: '/dashboard/api/nope' })).statusCode).toBe(401);
    expect((await send({ url, headers: { cookie } })).json().links.first).toBe(`${url}?page=1&limit=20`);
    expect((await post({ text: 'x' }, { url, headers: { cookie } })).statusCode).toBe(403);
    expect((await post({ text: 'x' }, { url, headers: { cookie, 'x-csrf-token': 't' } })).statusCode).toBe(
      201,
    );
    expect((await send({ url: '/v1/dashboard/api/openapi/notes', headers: { cookie } })).statusCode).toBe(
      404,
    );
  });
});

describe('a plugin that takes every path', () => {
  it('does not receive requests to API paths, but may add a route there', async () => {
    const plugin: FastifyPluginAsync = async (instance) => {
      instance.get('/*', async () => 'page');
      instance.post('/openapi/own', async () => {
        throw Object.assign(new Error('no'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 });
      });
    };
    server = testServer(notes.routes(), callers, { plugins: [plugin] });
    expect((await send({ url: '/anything' })).body).toBe('page');
    expect((await send({ url: '/openapi/nope' })).statusCode).toBe(401);
    expect((await send({ url: '/openapi/nope', headers: key })).statusCode).toBe(404);
    const own = await send({ method: 'POST', url: '/openapi/own' });
    expect([own.statusCode, own.json().details.fields[0].code]).toEqual([400, 'too_large']);
  });
});

describe('the service', () => {
  it('reports whether it is alive and whether it is ready', async () => {
    expect((await send({ url: '/healthz' })).json()).toEqual({ status: 'ok' });
    expect((await send({ url: '/readyz' })).json()).toEqual({ status: 'ok' });
    server = testServer([], {}, { health: async () => ({ reason: 'database', message: 'It is full.' }) });
    const answer = await send({ url: '/readyz' });
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { error: 'service_unavailable', message: 'It is full.', details: { reason: 'database' } },
    ]);
  });

  it('refuses work while it drains, after every other check', async () => {
    server = testServer(notes.routes(), callers, { isDraining: () => true });
    expect((await post({ text: 'x' })).json()).toMatchObject({ details: { reason: 'draining' } });
    expect((await post({})).statusCode).toBe(400);
    expect((await send({ url: '/readyz' })).statusCode).toBe(503);
    expect((await send({ url: '/healthz' })).statusCode).toBe(200);
  });
});
