import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let conversation: Json;

const send = (body: Json) => api.must(201, 'POST', '/openapi/messages', body);
const say = (text: string, more: Json = {}) => send({ conversation_id: conversation.id, text, ...more });

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  conversation = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
});

describe('sending a message', () => {
  it('returns exactly the record of the contract, with its fields in order', async () => {
    const me = await api.must(200, 'GET', '/openapi/users/me');
    const { status, text, body } = await api.post('/v1/openapi/messages', {
      conversation_id: 1,
      text: 'Hello',
    });
    expect(status).toBe(201);
    const at = body.created_at;
    expect(body.id).toMatch(UUID);
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(text).toBe(
      `{"id":"${body.id}","conversation_id":"${conversation.id}","conversation_number":1,"sender_id":"${me.id}","text":"Hello","content_type":"text","attachments":[],"read_by":[],"direction":"internal","status":"sent","platform":null,"category":"conversational","reply_to_id":null,"thread_id":null,"thread_count":0,"revision":1,"reactions":[],"deliveries":[],"origin":null,"error":null,"broadcast_id":null,"send_at":null,"expires_at":null,"sent_at":"${at}","delivered_at":null,"failed_at":null,"edited_at":null,"metadata":{},"created_at":"${at}","updated_at":"${at}"}`,
    );
  });

  it('accepts the conversation by id in any letter case, by number and by digits', async () => {
    const ids = [conversation.id, String(conversation.id).toUpperCase(), 1, '1'];
    for (const id of ids) {
      expect((await send({ conversation_id: id, text: 'x' })).conversation_id).toBe(conversation.id);
    }
    expect((await send({ conversationId: 1, text: 'x' })).conversation_number).toBe(1);
  });

  it('keeps text, type, category, metadata and code points verbatim', async () => {
    const sent = {
      text: '  **Grüße** ✓ 👩‍👩‍👧 \n\t ',
      content_type: 'markdown',
      category: 'transactional',
      metadata: { order: 42, nested: { list: [1, null, 'x'] }, ключ: true },
    };
    const made = await say(sent.text, sent);
    expect(made).toMatchObject(sent);
    expect(await api.must(200, 'GET', `/openapi/messages/${made.id}`)).toEqual(made);
  });

  it('counts text in code points: 10,000 are accepted, one more is not', async () => {
    expect((await say('👍'.repeat(10_000))).status).toBe('sent');
    const answer = await api.post('/openapi/messages', { conversation_id: 1, text: '👍'.repeat(10_001) });
    expect(fieldsOf(answer)).toEqual([['text', 'too_long']]);
  });

  it('repeats `content` in addition to `text` only when the request used it', async () => {
    expect(await send({ conversation_id: 1, content: 'Hi' })).toMatchObject({ text: 'Hi', content: 'Hi' });
    expect(await send({ conversation_id: 1, content: 'Hi', text: 'Hi' })).toMatchObject({ content: 'Hi' });
    const plain = await say('Hi');
    expect(plain).not.toHaveProperty('content');
    const edited = await api.must(200, 'PATCH', `/openapi/messages/${plain.id}`, { content: 'Ho' });
    expect(edited).toMatchObject({ text: 'Ho', content: 'Ho' });
  });

  it('refuses an alias that differs from its field', async () => {
    const wrong = {
      content: { conversation_id: 1, text: 'a', content: 'b' },
      conversationId: { conversation_id: 1, conversationId: 2, text: 'a' },
      contentType: { conversation_id: 1, text: 'a', content_type: 'text', contentType: 'markdown' },
    };
    for (const [field, body] of Object.entries(wrong)) {
      expect(fieldsOf(await api.post('/openapi/messages', body))).toEqual([[field, 'exclusive']]);
    }
  });

  it.each<[string, Json, [string, string][]]>([
    [
      'nothing',
      {},
      [
        ['conversation_id', 'required'],
        ['text', 'required'],
      ],
    ],
    ['a blank text', { conversation_id: 1, text: ' \n\t' }, [['text', 'too_short']]],
    ['an empty text', { conversation_id: 1, text: '' }, [['text', 'too_short']]],
    ['a number as text', { conversation_id: 1, text: 5 }, [['text', 'invalid_type']]],
    ['null as text', { conversation_id: 1, text: null }, [['text', 'invalid_type']]],
    [
      'another type',
      { conversation_id: 1, text: 'x', content_type: 'html' },
      [['content_type', 'invalid_value']],
    ],
    ['a conversation 0', { conversation_id: 0, text: 'x' }, [['conversation_id', 'too_small']]],
    ['a word as conversation', { conversation_id: 'x', text: 'x' }, [['conversation_id', 'invalid_format']]],
    ['a short life', { conversation_id: 1, text: 'x', ttl_seconds: 59 }, [['ttl_seconds', 'too_small']]],
    ['a long life', { conversation_id: 1, text: 'x', ttl_seconds: 604_801 }, [['ttl_seconds', 'too_large']]],
    [
      'a life in words',
      { conversation_id: 1, text: 'x', ttl_seconds: '60' },
      [['ttl_seconds', 'invalid_type']],
    ],
    [
      'a past time',
      { conversation_id: 1, text: 'x', send_at: '2020-01-01T00:00:00Z' },
      [['send_at', 'too_small']],
    ],
    [
      'a far time',
      { conversation_id: 1, text: 'x', send_at: '2099-01-01T00:00:00Z' },
      [['send_at', 'too_large']],
    ],
    ['no time', { conversation_id: 1, text: 'x', send_at: 'tomorrow' }, [['send_at', 'invalid_format']]],
    [
      'a wrong reply id',
      { conversation_id: 1, text: 'x', reply_to_id: 'x' },
      [['reply_to_id', 'invalid_format']],
    ],
    ['metadata as list', { conversation_id: 1, text: 'x', metadata: [] }, [['metadata', 'invalid_type']]],
    [
      'big metadata',
      { conversation_id: 1, text: 'x', metadata: { a: 'x'.repeat(4_096) } },
      [['metadata', 'too_large']],
    ],
    [
      'eleven attachments',
      { conversation_id: 1, text: 'x', attachments: Array(11).fill('https://example.com/a') },
      [['attachments', 'too_many']],
    ],
    [
      'a file without address',
      { conversation_id: 1, text: 'x', attachments: [{ type: 'image' }] },
      [['attachments.0.url', 'required']],
    ],
    [
      'a place without place',
      { conversation_id: 1, text: 'x', attachments: [{ type: 'location', latitude: 1 }] },
      [['attachments.0.longitude', 'required']],
    ],
    [
      'a forbidden address',
      { conversation_id: 1, text: 'x', attachments: ['https://169.254.169.254/x'] },
      [['attachments.0.url', 'forbidden_target']],
    ],
  ])('refuses %s', async (_what, body, problems) => {
    expect(fieldsOf(await api.post('/openapi/messages', body))).toEqual(problems);
  });

  it('returns 404 for an unknown conversation, reply or upload, with the field', async () => {
    const wrong: [Json, string][] = [
      [{ conversation_id: NOBODY, text: 'x' }, 'conversation_id'],
      [{ conversation_id: 999_999, text: 'x' }, 'conversation_id'],
      [{ conversation_id: 999_999_999_999_999, text: 'x' }, 'conversation_id'],
      [{ conversation_id: 1, text: 'x', reply_to_id: NOBODY }, 'reply_to_id'],
      [{ conversation_id: 1, text: 'x', thread_id: NOBODY }, 'thread_id'],
      [{ conversation_id: 1, text: 'x', attachments: [{ upload_id: NOBODY }] }, 'attachments.0.upload_id'],
    ];
    for (const [body, field] of wrong) {
      const answer = await api.post('/openapi/messages', body);
      expect([answer.status, answer.body.details]).toEqual([404, { field }]);
    }
  });

  it('accepts an attachment as object, as bare address, and a location without file', async () => {
    const { attachments } = await say('', {
      attachments: [
        { url: 'https://example.com/a.png', mime_type: 'image/png', alt_text: 'A', metadata: { a: 1 } },
        'https://example.com/b',
        { type: 'location', latitude: 52.5, longitude: 13.4 },
        { type: 'contact', latitude: 52.5, longitude: 13.4, metadata: { name: 'Ann' } },
      ],
    });
    expect(attachments).toMatchObject([
      { type: 'image', source_url: 'https://example.com/a.png', alt_text: 'A', metadata: { a: 1 } },
      { type: 'file', source_url: 'https://example.com/b' },
      { type: 'location', latitude: 52.5, longitude: 13.4, url: null, state: 'ready' },
      { type: 'contact', latitude: null, longitude: null, metadata: { name: 'Ann' } },
    ]);
  });
});

describe('changing a message', () => {
  it('increments the revision only for content, and leaves an unchanged record as it was', async () => {
    const made = await say('first');
    const path = `/openapi/messages/${made.id}`;
    const edited = await api.must(200, 'PATCH', path, { text: 'second', content_type: 'markdown' });
    expect(edited).toMatchObject({ text: 'second', content_type: 'markdown', revision: 2 });
    expect(edited.edited_at).toBe(edited.updated_at);
    const noted = await api.must(200, 'PATCH', path, { metadata: { a: 1 } });
    expect(noted).toMatchObject({ revision: 2, metadata: { a: 1 }, edited_at: edited.edited_at });
    expect(await api.must(200, 'PATCH', path, { text: 'second' })).toEqual(noted);
    expect(await api.must(200, 'PATCH', path, {})).toEqual(noted);
  });

  it('refuses read-only fields, null and content that is not allowed', async () => {
    const { id } = await say('x');
    const path = `/openapi/messages/${id}`;
    const wrong: [Json, [string, string]][] = [
      [{ status: 'read' }, ['status', 'read_only']],
      [{ id }, ['id', 'read_only']],
      [{ conversation_id: 1 }, ['conversation_id', 'read_only']],
      [{ text: null }, ['text', 'invalid_type']],
      [{ text: ' ' }, ['text', 'too_short']],
      [{ text: '' }, ['text', 'too_short']],
    ];
    for (const [body, problem] of wrong) expect(fieldsOf(await api.patch(path, body))).toEqual([problem]);
    expect(reasonOf(await api.patch(path, { attachments: [] }))).toBe('invalid_state');
  });

  it('makes it 404 everywhere after its deletion', async () => {
    const root = await say('root');
    const { id } = await say('bye', { thread_id: root.id });
    await api.must(204, 'DELETE', `/openapi/messages/${id}`);
    for (const method of ['GET', 'DELETE']) await api.must(404, method, `/openapi/messages/${id}`);
    await api.must(404, 'PATCH', `/openapi/messages/${id}`, { text: 'x' });
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', `/openapi/messages?filter=id:${id}`);
    expect(data).toEqual([]);
    expect(await api.must(200, 'GET', `/openapi/messages/${root.id}`)).toMatchObject({ thread_count: 0 });
  });
});

describe('listing messages', () => {
  it('filters by a conversation with its id or number, and is 404 for an unknown one', async () => {
    const other = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [],
      message: { text: 'only' },
    });
    for (const id of [other.id, other.number]) {
      const { data } = await api.must<{ data: Json[] }>(
        200,
        'GET',
        `/openapi/messages?conversation_id=${id}`,
      );
      expect(data.map(({ text }) => text)).toEqual(['only']);
    }
    const unknown = await api.get(`/openapi/messages?conversation_id=${NOBODY}`);
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'conversation_id' }]);
    expect(fieldsOf(await api.get('/openapi/messages?conversation_id=x'))).toEqual([
      ['conversation_id', 'invalid_format'],
    ]);
  });

  it('shows a note as internal, sent and without deliveries', async () => {
    expect(await say('aside', { internal: true })).toMatchObject({
      direction: 'internal',
      status: 'sent',
      deliveries: [],
    });
  });

  it('has no deliveries for messages that no platform receives', async () => {
    expect(await api.must(200, 'GET', '/openapi/deliveries')).toMatchObject({
      data: [],
      meta: { total_items: 0 },
    });
    await api.must(404, 'GET', `/openapi/deliveries/${NOBODY}`);
  });
});
