import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;

const note = { conversation_id: 1, text: 'x' };
const post = (body: unknown, headers: Record<string, string | undefined> = {}) =>
  api.post('/openapi/messages', body, { headers });

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
});

describe('the version of a request', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['no selector', '/openapi/status', {}, '1.0'],
    ['the path', '/v2/openapi/status', {}, '2.0'],
    ['path 2 over query', '/v2/openapi/status?version=1.0', {}, '2.0'],
    ['query over path 1', '/v1/openapi/status?version=2.0', {}, '2.0'],
    ['X-API-Version over path 1', '/v1/openapi/status', { 'x-api-version': '2' }, '2.0'],
    ['query over X-API-Version', '/openapi/status?version=1.0', { 'x-api-version': '2.0' }, '1.0'],
    [
      'X-API-Version over Accept-Version',
      '/openapi/status',
      { 'x-api-version': '1', 'accept-version': '2' },
      '1.0',
    ],
    ['Accept-Version', '/openapi/status', { 'accept-version': 'v2' }, '2.0'],
    ['Accept-Version on a webhook path', '/api/webhooks', { 'accept-version': 'v2' }, '2.0'],
  ])('is set by %s', async (_what, path, headers, version) => {
    const answer = await api.get(path, { headers });
    expect([answer.status, answer.headers['x-api-version']]).toEqual([200, version]);
  });

  it('is 400 for any wrong selector, also one that is overridden', async () => {
    const wrong: [string, Record<string, string>][] = [
      ['/v3/openapi/status', {}],
      ['/v2/openapi/status?version=3', {}],
      ['/openapi/status?version=', {}],
      ['/openapi/status?version=1.1', {}],
      ['/v2/openapi/status', { 'accept-version': 'two' }],
      ['/openapi/status?version=1', { 'x-api-version': '9' }],
      ['/openapi/nothing?version=9', {}],
    ];
    for (const [path, headers] of wrong) {
      const answer = await api.get(path, { headers });
      expect([path, answer.status, (answer.body.details as Json).supported]).toEqual([
        path,
        400,
        ['1.0', '2.0'],
      ]);
      expect(answer.headers['x-api-version']).toBe('1.0');
    }
  });

  it('2.0 has one content and one delivery object, in requests and responses', async () => {
    const made = await api.must(201, 'POST', '/v2/openapi/messages', {
      conversation_id: 1,
      content: { text: '# Title\n\nBody', format: 'markdown' },
    });
    expect(made.content).toEqual({
      text: '# Title\n\nBody',
      format: 'markdown',
      attachments: [],
      blocks: [
        { type: 'heading', text: 'Title' },
        { type: 'paragraph', text: 'Body' },
      ],
    });
    expect(made.delivery).toMatchObject({
      status: 'sent',
      error: null,
      delivered_at: null,
      failed_at: null,
      attempts: [],
    });
    for (const name of ['text', 'content_type', 'attachments', 'status', 'sent_at', 'deliveries'])
      expect(made).not.toHaveProperty(name);
    const edited = await api.must(200, 'PATCH', `/v2/openapi/messages/${made.id}`, {
      content: { text: 'New' },
    });
    expect(edited.content).toMatchObject({ text: 'New', format: 'markdown' });
    expect(await api.must(200, 'GET', `/openapi/messages/${made.id}`)).toMatchObject({
      text: 'New',
      content_type: 'markdown',
    });
  });

  it('2.0 names its own fields also when a record or an address of the body is refused', async () => {
    const forbidden = { attachments: [{ url: 'http://10.0.0.1/x' }] };
    const unknown = { text: 'x', attachments: [{ upload_id: NOBODY }] };
    const send = (content: Json) => api.post('/v2/openapi/messages', { conversation_id: 1, content });
    const first = (content: Json) =>
      api.post('/v2/openapi/conversations', { participant_ids: [], message: { content } });
    expect(fieldsOf(await send({ text: 'x', ...forbidden }))).toEqual([
      ['content.attachments.0.url', 'forbidden_target'],
    ]);
    expect((await send(unknown)).body.details).toEqual({ field: 'content.attachments.0.upload_id' });
    expect(fieldsOf(await first({ text: 'x', ...forbidden }))).toEqual([
      ['message.content.attachments.0.url', 'forbidden_target'],
    ]);
    expect((await first(unknown)).body.details).toEqual({
      field: 'message.content.attachments.0.upload_id',
    });
    const { id } = await api.must(201, 'POST', '/openapi/messages', note);
    const emptied = await api.patch(`/v2/openapi/messages/${id}`, { content: { text: '' } });
    expect(fieldsOf(emptied)).toEqual([['content.text', 'too_short']]);
    expect(emptied.body.message).toMatch(/^content\.text: /);
  });

  it('both refuse unknown fields and parameters, and only 2.0 refuses aliases and offset pages', async () => {
    const body = { conversation_id: 1, content: { text: 'x' } };
    for (const [more, field] of [
      [{ nope: 1 }, 'nope'],
      [{ text: 'x' }, 'text'],
      [{ conversationId: 1 }, 'conversationId'],
    ] as const) {
      expect(fieldsOf(await api.post('/v2/openapi/messages', { ...body, ...more }))).toContainEqual([
        field,
        'unknown_field',
      ]);
    }
    expect(fieldsOf(await api.get('/v2/openapi/messages?nope=1'))).toEqual([['nope', 'unknown_field']]);
    const refused = await api.get('/v2/openapi/messages?page=1');
    expect(refused.body).toMatchObject({
      error: 'invalid_request',
      code: 'invalid_request',
      errors: [{ field: 'page' }],
    });
    const missing = await api.get(`/v2/openapi/messages/${NOBODY}`);
    expect(missing.body).toMatchObject({ error: 'not_found', code: 'not_found', errors: [] });
    expect(Object.keys((await api.must(200, 'GET', '/v2/openapi/messages')) as Json)).toEqual([
      'data',
      'pagination',
    ]);
    expect(fieldsOf(await post({ ...note, nope: 1 }))).toEqual([['nope', 'unknown_field']]);
    expect(fieldsOf(await post({ ...note, status: 'sent' }))).toEqual([['status', 'read_only']]);
    expect(fieldsOf(await api.get('/openapi/messages?nope=1'))).toEqual([['nope', 'unknown_field']]);
    expect((await api.get('/openapi/messages?expand=nope')).status).toBe(200);
  });

  it('only 2.0 includes related records on request', async () => {
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/v2/openapi/messages?limit=1&expand=conversation,sender',
    );
    expect(data[0]).toMatchObject({ conversation: { number: 1 }, sender: { kind: 'member' } });
    expect(data[0]?.conversation).not.toHaveProperty('participants');
    const one = await api.must(200, 'GET', `/v2/openapi/messages/${data[0]?.id}?expand=sender`);
    expect([one.sender, one]).toEqual([data[0]?.sender, expect.not.objectContaining({ conversation: {} })]);
    const conversation = await api.must(200, 'GET', '/v2/openapi/conversations/1');
    expect(conversation).not.toHaveProperty('participants');
    expect(
      (await api.must(200, 'GET', '/v2/openapi/conversations/1?expand=participants')).participants,
    ).toHaveLength(1);
    expect(fieldsOf(await api.get('/v2/openapi/messages?expand=nope'))).toEqual([
      ['expand', 'invalid_value'],
    ]);
    expect(await api.must(200, 'GET', '/openapi/messages?expand=nope')).not.toHaveProperty(
      'data.0.conversation',
    );
  });
});

describe('field names of client libraries', () => {
  it('are accepted only by 1.0, in the first message of a conversation as in any other', async () => {
    const me = await api.must(200, 'GET', '/openapi/users/me');
    const opening = { type: 'group', participant_ids: [me.id] };
    const message = { content: '*Hello*', contentType: 'markdown' };
    const made = await api.must(201, 'POST', '/openapi/conversations', { ...opening, message });
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?conversation_id=${made.id}`,
    );
    expect(data).toMatchObject([{ text: '*Hello*', content_type: 'markdown' }]);
    const both = { message: { ...message, text: 'Bye' } };
    expect(fieldsOf(await api.post('/openapi/conversations', { ...opening, ...both }))).toEqual([
      ['message.content', 'exclusive'],
    ]);
    expect(
      fieldsOf(await api.post('/v2/openapi/conversations', { ...opening, message: { contentType: 'text' } })),
    ).toContainEqual(['message.contentType', 'unknown_field']);
  });
});

describe('expand', () => {
  it('needs the scope that reads the included records', async () => {
    const only = async (scopes: string) => service.client(await service.createKey({ scopes }));
    const messages = await only('messages:read');
    for (const [name, scope] of [
      ['sender', 'profile:read'],
      ['conversation', 'conversations:read'],
    ] as const) {
      const path = `/v2/openapi/messages?limit=1&expand=${name}`;
      expect(await messages.get(path)).toMatchObject({
        status: 403,
        body: { code: 'access_denied', details: { required: [scope] } },
      });
      await messages.must(403, 'GET', `/v2/openapi/messages/${NOBODY}?expand=${name}`);
      const both = await only(`messages:read,${scope}`);
      expect((await both.must<{ data: Json[] }>(200, 'GET', path)).data[0]?.[name]).toBeTruthy();
    }
    const calls = await only('calls:read');
    await calls.must(200, 'GET', '/v2/openapi/calls');
    await calls.must(403, 'GET', '/v2/openapi/calls?expand=conversation');
  });
});

describe('Idempotency-Key', () => {
  const key = (value: string) => ({ headers: { 'idempotency-key': value } });

  it('returns the same response again without repeating the effect', async () => {
    const first = await api.post('/openapi/messages', note, key('again'));
    const second = await api.post('/openapi/messages', note, key('again'));
    const versioned = await api.post('/v1/openapi/messages', note, key('again'));
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    for (const replay of [second, versioned]) {
      expect([replay.status, replay.text, replay.headers['idempotent-replayed']]).toEqual([
        201,
        first.text,
        'true',
      ]);
    }
    const { meta } = await api.must<{ meta: Json }>(
      200,
      'GET',
      `/openapi/messages?filter=id:${first.body.id}`,
    );
    expect(meta).toMatchObject({ total_items: 1 });
  });

  it('repeats `content` in a replay as well', async () => {
    const body = { conversation_id: 1, content: 'Hi' };
    const first = await api.post('/openapi/messages', body, key('echo'));
    expect((await api.post('/openapi/messages', body, key('echo'))).text).toBe(first.text);
  });

  it('refuses another request with the same key if its body, query or version differs', async () => {
    await api.post('/openapi/messages', note, key('other'));
    const others: [string, unknown][] = [
      ['/openapi/messages', { ...note, text: 'y' }],
      ['/openapi/messages', JSON.stringify(note, null, 1)],
      ['/openapi/messages?a=1', note],
      ['/v2/openapi/messages', { conversation_id: 1, content: { text: 'x' } }],
    ];
    for (const [path, body] of others) {
      expect(reasonOf(await api.post(path, body, key('other')))).toBe('idempotency_key_reused');
    }
    expect((await api.post('/openapi/conversations', { participant_ids: [] }, key('other'))).status).toBe(
      201,
    );
    const second = service.client(await service.createKey());
    expect(
      (await second.post('/openapi/messages', note, key('other'))).headers['idempotent-replayed'],
    ).toBeUndefined();
  });

  it('applies exactly one of many parallel requests', async () => {
    const before = await api.must<{ meta: Json }>(200, 'GET', '/openapi/messages');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post('/openapi/messages', note, key('twins'))),
    );
    const made = answers.filter(
      ({ status, headers }) => status === 201 && headers['idempotent-replayed'] === undefined,
    );
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 409) expect(reasonOf(answer)).toBe('idempotency_in_progress');
      else expect([answer.status, answer.body.id]).toEqual([201, made[0]?.body.id]);
    }
    const after = await api.must<{ meta: Json }>(200, 'GET', '/openapi/messages');
    expect(after.meta.total_items).toBe(Number(before.meta.total_items) + 1);
  });

  it('keeps a 404, and frees the key after a 400', async () => {
    const missing = { ...note, conversation_id: 77 };
    await api.post('/openapi/messages', missing, key('missing'));
    expect(
      (await api.post('/openapi/messages', missing, key('missing'))).headers['idempotent-replayed'],
    ).toBe('true');
    expect((await api.post('/openapi/messages', {}, key('free'))).status).toBe(400);
    expect((await api.post('/openapi/messages', note, key('free'))).status).toBe(201);
  });

  it('has at most 255 printable characters, and is ignored on anything but POST', async () => {
    for (const wrong of ['', 'x'.repeat(256), 'a\u00e9b']) {
      expect(fieldsOf(await api.post('/openapi/messages', note, key(wrong)))).toEqual([
        ['Idempotency-Key', 'invalid_format'],
      ]);
    }
    expect((await api.get('/openapi/status', key('x'.repeat(300)))).status).toBe(200);
  });
});
