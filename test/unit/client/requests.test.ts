import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Message,
  type Schemas,
  Trunkline,
  TrunklineError,
  type TrunklineOptions,
} from '../../../src/client/index.js';
import { hangUp, StandIn, saysNothing } from '../../support/stand-in.js';

const service = new StandIn();
let baseUrl: string;

beforeAll(async () => {
  baseUrl = await service.start();
});
afterAll(() => service.stop());

const client = (more: Partial<TrunklineOptions<'1.0'>> = {}) =>
  new Trunkline({ baseUrl, apiKey: 'tl_live_x', ...more });
const ID = '019b76da-a800-7000-8000-0000000000a1';
const refusal = (status: number, error: string, details?: object, headers = {}) => ({
  status,
  headers: { 'x-request-id': 'r-1', ...headers },
  json: { error, message: 'Said so.', details },
});
const busy = (more = {}) =>
  refusal(503, 'service_unavailable', { reason: 'database', ...more }, { 'retry-after': '0' });
const fails = async (promise: Promise<unknown>): Promise<TrunklineError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TrunklineError);
  return error as TrunklineError;
};
const lines = () => service.asked.map(({ method, url }) => `${method} ${url}`);

describe('a request', () => {
  it('contains method, path, query, body and credentials', async () => {
    service.will({ json: { id: ID } });
    expect(await client().messages.update(ID, { text: 'Grüße' })).toEqual({ id: ID });
    await client({ accessToken: 'tl_at_x' }).analytics.get('messages', { from: '2026-01-01T00:00:00Z' });
    await client().messages.react(ID, '👍/');
    const [patch, get, put] = service.asked;
    expect(patch).toMatchObject({
      method: 'PATCH',
      url: `/v1/openapi/messages/${ID}`,
      body: '{"text":"Grüße"}',
    });
    expect(patch?.headers).toMatchObject({ 'x-api-key': 'tl_live_x', 'content-type': 'application/json' });
    expect(patch?.headers).not.toHaveProperty('idempotency-key');
    expect(get).toMatchObject({
      url: '/v1/openapi/analytics/messages?from=2026-01-01T00%3A00%3A00Z',
      body: '',
    });
    expect(get?.headers).toMatchObject({ authorization: 'Bearer tl_at_x' });
    expect(get?.headers).not.toHaveProperty('content-type');
    expect(put).toMatchObject({ method: 'PUT', url: `/v1/openapi/messages/${ID}/reactions/%F0%9F%91%8D%2F` });
  });

  it('resolves with undefined if the response has no body', async () => {
    service.will({ status: 204 });
    expect(await client().messages.delete(ID)).toBeUndefined();
  });

  it('accepts a conversation number, and a base URL with or without the version segment', async () => {
    service.will({ json: {} });
    await client({ baseUrl: `${baseUrl}/v1/` }).conversations.get(7);
    await new Trunkline({ baseUrl: `${baseUrl}/`, version: '2.0' }).conversations.participants.delete(7, ID);
    expect(lines()).toEqual([
      'GET /v1/openapi/conversations/7',
      `DELETE /v2/openapi/conversations/7/participants/${ID}`,
    ]);
  });

  it.each(['', '.', '..', undefined])('is not sent with %j as an id', async (id) => {
    service.will({ json: {} });
    await expect(client().messages.get(id as string)).rejects.toThrow(
      'id of /openapi/messages/{id} must be an id.',
    );
    expect(service.asked).toEqual([]);
  });

  it('is refused with a base URL of another version, an invalid one, or an unknown version', () => {
    expect(() => client({ baseUrl: `${baseUrl}/v2` })).toThrow(TypeError);
    expect(() => client({ baseUrl: 'example.org' })).toThrow(TypeError);
    expect(() => client({ version: '3.0' as '1.0' })).toThrow('version must be 1.0 or 2.0.');
  });

  it('sends files as a form', async () => {
    service.will({ status: 201, json: { id: ID } });
    const file = new File(['hello'], 'a.txt', { type: 'text/plain' });
    await client().attachments.create({ file, alt_text: 'A text', name: undefined });
    const [{ headers, body } = { headers: {}, body: '' }] = service.asked;
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('name="file"; filename="a.txt"');
    expect(body).toContain('name="alt_text"\r\n\r\nA text');
    expect(body).not.toContain('name="name"');
  });

  it('can call an operation by its path', async () => {
    service.will({ json: { id: ID } });
    const answer = client().request('get', '/openapi/messages/{id}', { ids: [ID] });
    expectTypeOf(answer).resolves.toEqualTypeOf<Message>();
    expect(await answer).toEqual({ id: ID });
    await client().request('post', '/openapi/later/{id}', {
      ids: [ID],
      body: { a: 1 },
      query: { b: ['1', '2'] },
    });
    expect(service.asked[1]).toMatchObject({ url: `/v1/openapi/later/${ID}?b=1&b=2`, body: '{"a":1}' });
  });

  it('does not follow a redirect, which would carry the key elsewhere', async () => {
    service.will({ status: 302, headers: { location: `${baseUrl}/elsewhere` } });
    expect(await fails(client().status())).toMatchObject({ status: 302, code: 'unexpected_answer' });
    expect(service.asked).toHaveLength(1);
  });

  it('has types', () => {
    const one = client();
    const two = new Trunkline({ baseUrl, version: '2.0' });
    expectTypeOf(one.messages.get).returns.resolves.toEqualTypeOf<Schemas['Message']>();
    expectTypeOf(two.messages.get).returns.resolves.toEqualTypeOf<Schemas<'2.0'>['Message']>();
    expectTypeOf(two.messages.send).returns.resolves.toEqualTypeOf<Schemas<'2.0'>['Message']>();
    expectTypeOf(one.messages.delete).returns.resolves.toEqualTypeOf<undefined>();
    expectTypeOf(one.broadcasts.preview).returns.resolves.toEqualTypeOf<Schemas['DryRun']>();
    type ListQuery = NonNullable<Parameters<typeof one.users.list>[0]>;
    expectTypeOf<ListQuery['order']>().toEqualTypeOf<'asc' | 'desc' | undefined>();
    expectTypeOf<NonNullable<Parameters<typeof one.conversations.update>[1]>>().toHaveProperty('title');
    // @ts-expect-error an id is missing
    expectTypeOf(one.messages.get).toBeCallableWith();
    // @ts-expect-error no such status
    expectTypeOf(one.conversations.update).toBeCallableWith(ID, { status: 'nowhere' });
  });
});

describe('an error', () => {
  it('contains the status, code, message, details and request id of the response', async () => {
    const details = { reason: 'invalid_state', current: 'sent' };
    service.will(refusal(409, 'conflict', details));
    const error = await fails(client().messages.retry(ID));
    expect({ ...error }).toMatchObject({ status: 409, code: 'conflict', details, requestId: 'r-1' });
    expect([error.message, error.reason, error.retryAfter]).toEqual(['Said so.', 'invalid_state', undefined]);
    expect(service.asked).toHaveLength(1);
  });

  it('reports a response that does not come from the service', async () => {
    service.will((response) => response.writeHead(404).end('<h1>No such host</h1>'));
    expect(await fails(client().messages.get(ID))).toMatchObject({ status: 404, code: 'unexpected_answer' });
    service.will((response) => response.writeHead(200).end('<h1>Welcome</h1>'));
    expect(await fails(client({ retries: 0 }).messages.get(ID))).toMatchObject({
      status: 0,
      code: 'unexpected_answer',
    });
  });

  it('distinguishes a lost connection from a timeout', async () => {
    service.will(hangUp);
    expect(await fails(client({ retries: 0 }).status())).toMatchObject({ status: 0, code: 'network_error' });
    service.will(saysNothing);
    expect(await fails(client({ retries: 0, timeoutMs: 50 }).status())).toMatchObject({
      status: 0,
      code: 'timeout',
    });
  });
});

describe('a retry', () => {
  it('follows a 429, a 503 and a broken connection', async () => {
    service.will(refusal(429, 'rate_limit_exceeded', {}, { 'retry-after': '0' }), busy(), hangUp, {
      json: { id: ID },
    });
    expect(await client().messages.get(ID)).toEqual({ id: ID });
    expect(service.asked).toHaveLength(4);
  });

  it('sends the same Idempotency-Key for all attempts of a POST, and a different one for the next POST', async () => {
    const running = refusal(409, 'conflict', { reason: 'idempotency_in_progress' });
    service.will(hangUp, running, { status: 201, json: { id: ID } });
    expect(await client().messages.send({ conversation_id: 1, text: 'x' })).toEqual({ id: ID });
    await client().messages.send({ conversation_id: 1, text: 'x' });
    await client().messages.send({ conversation_id: 1, text: 'x' }, { idempotencyKey: 'order-42' });
    const keys = service.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[4]).toBe('order-42');
  });

  it('counts 404 as success if an earlier attempt sent the DELETE', async () => {
    service.will(hangUp, refusal(404, 'not_found'));
    expect(await client().messages.delete(ID)).toBeUndefined();
    service.will(refusal(404, 'not_found'));
    expect(await fails(client().messages.delete(ID))).toMatchObject({ status: 404 });
  });

  it('ends after the number of retries that the call or the client sets', async () => {
    service.will(busy());
    expect(await fails(client({ retries: 1 }).status())).toMatchObject({ status: 503, retryAfter: 0 });
    expect(service.asked).toHaveLength(2);
    await fails(client({ retries: 1 }).status({ retries: 0 }));
    expect(service.asked).toHaveLength(3);
  });

  it('is not made if the wait is too long or another attempt would be useless', async () => {
    service.will(refusal(429, 'rate_limit_exceeded', {}, { 'retry-after': '1800' }));
    expect(await fails(client().status())).toMatchObject({ retryAfter: 1800 });
    expect(service.asked).toHaveLength(1);
    service.will(busy({ reason: 'no_provider' }));
    await fails(client().translations.create({ text: 'x', target_language: 'de' }));
    expect(service.asked).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('ends a request and throws its reason', async () => {
    const controller = new AbortController();
    service.will((response) => {
      response.on('close', () => response.end());
      controller.abort(new Error('enough'));
    });
    await expect(client().status({ signal: controller.signal })).rejects.toThrow('enough');
    await expect(client({ signal: controller.signal }).status()).rejects.toThrow('enough');
    expect(service.asked).toHaveLength(1);
  });

  it('ends a wait between attempts', async () => {
    const controller = new AbortController();
    service.will((response) => {
      response
        .writeHead(503, { 'retry-after': '50' })
        .end('{}', () => setImmediate(() => controller.abort()));
    });
    await expect(client().status({ signal: controller.signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});

describe('a list', () => {
  const page = (ids: number[], nextCursor: string | null) => ({
    json: { data: ids.map((id) => ({ id })), pagination: { nextCursor, hasMore: nextCursor !== null } },
  });
  const ids = async (records: AsyncIterable<{ id: unknown }>) => {
    const found: unknown[] = [];
    for await (const { id } of records) found.push(id);
    return found;
  };

  it('is read to its end, cursor by cursor', async () => {
    service.will(page([1, 2], 'c2'), page([], 'c3'), page([3], null));
    const filter = ['status:failed', 'text:~"a b"'];
    expect(await ids(client().messages.list({ filter, order: 'asc' }))).toEqual([1, 2, 3]);
    const query = 'limit=100&filter=status%3Afailed&filter=text%3A%7E%22a+b%22&order=asc';
    expect(lines()).toEqual([
      `GET /v1/openapi/messages?${query}&cursor=`,
      `GET /v1/openapi/messages?${query}&cursor=c2`,
      `GET /v1/openapi/messages?${query}&cursor=c3`,
    ]);
  });

  it('requests only the pages that are read', async () => {
    service.will(page([1, 2], 'c2'));
    const list = client().conversations.links.list(7, { limit: 2 });
    expect(service.asked).toEqual([]);
    for await (const { id } of list) if (String(id) === '1') break;
    expect(lines()).toEqual(['GET /v1/openapi/conversations/7/links?limit=2&cursor=']);
  });

  it('returns single pages as the service sends them', async () => {
    service.will({ json: { data: [], meta: { total_items: 0 } } });
    const list = client().messages.list({ limit: 5 });
    expectTypeOf(list.page).returns.resolves.toHaveProperty('meta');
    expect(await list.page()).toEqual({ data: [], meta: { total_items: 0 } });
    await list.page({ page: 3 });
    await list.page({ cursor: 'c' });
    expect(lines().map((line) => line.split('?')[1])).toEqual([
      'limit=5',
      'limit=5&page=3',
      'limit=5&cursor=c',
    ]);
  });

  it('throws the error of a page that fails', async () => {
    service.will(refusal(400, 'invalid_request', { fields: [] }));
    await expect(ids(client().users.list({ filter: 'nope:1' }))).rejects.toMatchObject({ status: 400 });
  });
});

describe('send', () => {
  it('passes deprecated names through in version 1.0, which accepts them', async () => {
    service.will({ status: 201, json: {} });
    await client().messages.send({ conversationId: 1, content: 'Hello', contentType: 'markdown' });
    expect(JSON.parse(service.asked[0]?.body ?? '')).toEqual({
      conversationId: 1,
      content: 'Hello',
      contentType: 'markdown',
    });
  });

  it('translates the names of either version to those of version 2.0', async () => {
    service.will({ status: 201, json: {} });
    const two = new Trunkline({ baseUrl, version: '2.0' });
    await two.messages.send({
      conversationId: 1,
      content: 'Hello',
      contentType: 'markdown',
      metadata: { a: 1 },
    });
    await two.messages.send({ conversation_id: 1, text: 'Hello', content: 'Hello' });
    expect(service.asked.map(({ body }) => JSON.parse(body))).toEqual([
      { conversation_id: 1, content: { text: 'Hello', format: 'markdown' }, metadata: { a: 1 } },
      { conversation_id: 1, content: { text: 'Hello' } },
    ]);
    const error = await fails(two.messages.send({ conversation_id: 1, text: 'a', content: 'b' }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.details).toMatchObject({ fields: [{ field: 'content', code: 'exclusive' }] });
  });
});
