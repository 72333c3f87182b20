import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;
let ann: Json;
let connection: Json;

const open = (body: Json, status = 201) => api.must(status, 'POST', '/openapi/conversations', body);
const group = (more: Json = {}) => open({ participant_ids: [], ...more });
const contact = (name: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/users', { display_name: name, ...more });
const change = (id: unknown, body: Json) => api.must(200, 'PATCH', `/openapi/conversations/${id}`, body);

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
  ann = await contact('Ann', { identities: [{ platform: 'telegram', external_id: '7001' }] });
  // No server listens there: conversations and links must not depend on a platform that answers.
  connection = await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
    name: 'Bot',
    credentials: { bot_token: '1000:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    settings: { api_base_url: 'http://127.0.0.1:1999' },
  });
});

describe('opening a conversation', () => {
  it('assigns numbers from 1 without gaps, and makes the conversation available by id and number', async () => {
    const first = await group({
      title: 'First',
      labels: ['vip'],
      priority: 'high',
      team: 'Sales',
      metadata: { a: 1 },
    });
    const second = await group();
    expect([first.number, second.number]).toEqual([1, 2]);
    expect(first).toMatchObject({
      type: 'group',
      title: 'First',
      team: 'Sales',
      status: 'open',
      platform: null,
      platforms: [],
      labels: ['vip'],
      priority: 'high',
      unread_count: 0,
      last_message: null,
      links: [],
      created_by: me.id,
      closed_at: null,
      metadata: { a: 1 },
    });
    expect(first.participants).toMatchObject([{ user_id: me.id, role: 'owner', left_at: null }]);
    for (const key of [first.id, String(first.id).toUpperCase(), 1, '01']) {
      expect(await api.must(200, 'GET', `/openapi/conversations/${key}`)).toEqual(first);
    }
    for (const key of [0, '9'.repeat(30), '1.0', '+1', '-1'])
      await api.must(404, 'GET', `/openapi/conversations/${key}`);
  });

  it('finds the direct conversation of the same pair instead of creating a second one', async () => {
    const bob = await contact('Bob');
    const made = await open({ participant_ids: [bob.id] });
    expect(made.type).toBe('direct');
    const again = await open({ participant_ids: [bob.id], message: { text: 'Hi again' } }, 200);
    expect(again.id).toBe(made.id);
    expect(again.last_message).toMatchObject({ text: 'Hi again', sender_id: me.id });
  });

  it('returns the content type of the last message only if it is Markdown', async () => {
    const jan = await contact('Jan');
    const marked = await open({
      participant_ids: [jan.id],
      message: { text: '**Hi**', content_type: 'markdown' },
    });
    expect(marked.last_message).toMatchObject({ text: '**Hi**', content_type: 'markdown' });
    const plain = await open({ participant_ids: [jan.id], message: { text: '2 * 3' } }, 200);
    expect(plain.last_message).not.toHaveProperty('content_type');
  });

  it('counts the caller as one of the two participants of a direct conversation, listed or not', async () => {
    const eve = await contact('Eve');
    const made = await open({ type: 'direct', participant_ids: [eve.id, me.id] });
    expect(made.type).toBe('direct');
    expect((made.participants as Json[]).map(({ user_id }) => user_id)).toEqual([me.id, eve.id]);
    expect(await open({ participant_ids: [eve.id] }, 200)).toMatchObject({ id: made.id });
    for (const participant_ids of [[me.id], [eve.id, ann.id]]) {
      const refused = await api.post('/openapi/conversations', { type: 'direct', participant_ids });
      expect(fieldsOf(refused)).toEqual([['participant_ids', 'invalid_value']]);
    }
  });

  it('opens a direct chat with a recipient and sends the first message there', async () => {
    const made = await open({
      recipient: { platform: 'telegram', address: '8001' },
      message: { text: 'Hello' },
    });
    expect(made).toMatchObject({ type: 'direct', platform: 'telegram', platforms: ['telegram'] });
    expect(made.links).toMatchObject([
      {
        connection_id: connection.id,
        external_id: '8001',
        direction: 'two_way',
        attribution: 'prefix',
        status: 'active',
      },
    ]);
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?conversation_id=${made.id}`,
    );
    expect(data).toMatchObject([
      { text: 'Hello', direction: 'outbound', status: 'queued', platform: 'telegram' },
    ]);
    expect(data[0]?.deliveries).toMatchObject([
      { status: 'queued', external_chat_id: '8001', parts: [], attempt_count: 0 },
    ]);
    const users = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/users?filter=platform:telegram');
    expect(users.data.map(({ identities }) => (identities as Json[])[0]?.external_id).sort()).toEqual([
      '7001',
      '8001',
    ]);
    expect(await open({ recipient: { platform: 'telegram', address: '8001' } }, 200)).toMatchObject({
      id: made.id,
    });
  });

  it('links a direct conversation with a contact by the requested platform', async () => {
    const made = await open({ participant_ids: [ann.id], platform: 'telegram' });
    expect(made.links).toMatchObject([{ external_id: '7001', platform: 'telegram' }]);
    const bob = await contact('No address');
    const refused = await api.post('/openapi/conversations', {
      participant_ids: [bob.id],
      platform: 'telegram',
    });
    expect([reasonOf(refused), (refused.body.details as Json).platform]).toEqual([
      'no_connection',
      'telegram',
    ]);
  });

  it('accepts links, and refuses an already linked chat with the id of its link', async () => {
    const link = { connection_id: connection.id, external_id: '-100', title: 'Room', direction: 'inbound' };
    const made = await open({ links: [link] });
    expect(made.links).toMatchObject([link]);
    const twice = await api.post('/openapi/conversations', { links: [link] });
    expect(reasonOf(twice)).toBe('already_exists');
    expect((twice.body.details as Json).id).toBe((made.links as Json[])[0]?.id);
  });

  it.each<[string, Json, [string, string]]>([
    ['nothing', {}, ['participant_ids', 'required']],
    [
      'two ways at once',
      { participant_ids: [], recipient: { platform: 'telegram', address: '1' } },
      ['recipient', 'exclusive'],
    ],
    [
      'a direct one with nobody',
      { type: 'direct', participant_ids: [] },
      ['participant_ids', 'invalid_value'],
    ],
    ['a wrong id', { participant_ids: ['x'] }, ['participant_ids.0', 'invalid_format']],
    ['a long title', { participant_ids: [], title: 'x'.repeat(257) }, ['title', 'too_long']],
    ['a label twice', { participant_ids: [], labels: ['a', 'a'] }, ['labels', 'duplicate']],
    [
      '51 labels',
      { participant_ids: [], labels: Array.from({ length: 51 }, (_, n) => `${n}`) },
      ['labels', 'too_many'],
    ],
    ['250 people', { participant_ids: Array(250).fill(NOBODY) }, ['participant_ids', 'too_many']],
    ['a message without text', { participant_ids: [], message: {} }, ['message.text', 'required']],
    ['another priority', { participant_ids: [], priority: 'huge' }, ['priority', 'invalid_value']],
    ['a link without chat', { links: [{ connection_id: NOBODY }] }, ['links.0.external_id', 'required']],
  ])('refuses %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/conversations', body))).toEqual([problem]);
  });

  it('returns 404 for unknown people and connections, and stores nothing', async () => {
    const before = await api.must<{ meta: Json }>(200, 'GET', '/openapi/conversations');
    const wrong: [Json, string][] = [
      [{ participant_ids: [NOBODY] }, 'participant_ids'],
      [{ links: [{ connection_id: NOBODY, external_id: '1' }] }, 'links.0.connection_id'],
      [
        { recipient: { platform: 'telegram', address: '1', connection_id: NOBODY } },
        'recipient.connection_id',
      ],
    ];
    for (const [body, field] of wrong) {
      const answer = await api.post('/openapi/conversations', body);
      expect([answer.status, answer.body.details]).toEqual([404, { field }]);
    }
    const none = await api.post('/openapi/conversations', {
      recipient: { platform: 'slack', address: 'C1' },
    });
    expect([reasonOf(none), (none.body.details as Json).platform]).toEqual(['no_connection', 'slack']);
    expect((await api.must<{ meta: Json }>(200, 'GET', '/openapi/conversations')).meta).toEqual(before.meta);
  });
});

describe('changing a conversation', () => {
  it('changes only the sent fields, clears with null and leaves an unchanged one as it was', async () => {
    const made = await group({ title: 'A', team: 'T', labels: ['x'], metadata: { a: 1 } });
    const changed = await change(made.number, {
      title: null,
      labels: ['y', 'z'],
      priority: 'low',
      assignee_id: me.id,
    });
    expect(changed).toMatchObject({
      title: null,
      team: 'T',
      labels: ['y', 'z'],
      priority: 'low',
      assignee_id: me.id,
      metadata: { a: 1 },
    });
    expect(await change(made.id, { team: 'T' })).toEqual(changed);
    expect(await change(made.id, {})).toEqual(changed);
  });

  it('moves through its states and sets closed_at while closed', async () => {
    const { id } = await group();
    const snoozed_until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await change(id, { status: 'pending' })).toMatchObject({ status: 'pending', closed_at: null });
    expect(await change(id, { status: 'snoozed', snoozed_until })).toMatchObject({
      status: 'snoozed',
      snoozed_until,
    });
    const resolved = await change(id, { status: 'resolved' });
    expect(resolved).toMatchObject({ status: 'resolved', snoozed_until: null });
    expect(resolved.closed_at).toEqual(expect.any(String));
    expect(await change(id, { status: 'archived' })).toMatchObject({
      status: 'archived',
      closed_at: expect.any(String),
    });
    for (const status of ['pending', 'resolved']) {
      const refused = await api.patch(`/openapi/conversations/${id}`, { status });
      expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual([
        'invalid_state',
        'archived',
      ]);
    }
    expect(await change(id, { status: 'open' })).toMatchObject({ status: 'open', closed_at: null });
  });

  it('can snooze it until any future time', async () => {
    const { id } = await group();
    const snoozed_until = '9999-12-31T23:59:59.000Z';
    expect(await change(id, { status: 'snoozed', snoozed_until })).toMatchObject({ snoozed_until });
    expect(await change(id, { snoozed_until: '2999-01-01T00:00:00Z' })).toMatchObject({
      status: 'snoozed',
      snoozed_until: '2999-01-01T00:00:00.000Z',
    });
  });

  it('reopens a snoozed one at its time', async () => {
    const { id } = await group();
    await change(id, { status: 'snoozed', snoozed_until: new Date(Date.now() + 1_000).toISOString() });
    const opened = await eventually(
      () => api.must(200, 'GET', `/openapi/conversations/${id}`),
      ({ status }) => status === 'open',
    );
    expect(opened.snoozed_until).toBeNull();
  });

  it('refuses read-only fields and invalid values', async () => {
    const { id } = await group();
    const path = `/openapi/conversations/${id}`;
    const wrong: [Json, [string, string]][] = [
      [{ number: 5 }, ['number', 'read_only']],
      [{ participants: [] }, ['participants', 'read_only']],
      [{ type: 'direct' }, ['type', 'read_only']],
      [{ status: null }, ['status', 'invalid_type']],
      [{ status: 'deleted' }, ['status', 'invalid_value']],
      [{ status: 'snoozed' }, ['snoozed_until', 'required']],
      [{ status: 'snoozed', snoozed_until: '2020-01-01T00:00:00Z' }, ['snoozed_until', 'too_small']],
      [{ labels: null }, ['labels', 'invalid_type']],
    ];
    for (const [body, problem] of wrong) expect(fieldsOf(await api.patch(path, body))).toEqual([problem]);
    const nobody = await api.patch(path, { assignee_id: NOBODY });
    expect([nobody.status, nobody.body.details]).toEqual([404, { field: 'assignee_id' }]);
  });

  it('makes it and its messages 404 after its deletion, and frees the linked chat', async () => {
    const link = { connection_id: connection.id, external_id: '-555' };
    const made = await open({ links: [link], message: { text: 'x' } });
    const messageId = (made.last_message as Json).id;
    await api.must(204, 'DELETE', `/openapi/conversations/${made.number}`);
    for (const key of [made.id, made.number]) {
      for (const method of ['GET', 'DELETE']) await api.must(404, method, `/openapi/conversations/${key}`);
      await api.must(404, 'PATCH', `/openapi/conversations/${key}`, { title: 'x' });
      await api.must(404, 'GET', `/openapi/conversations/${key}/links`);
    }
    await api.must(404, 'GET', `/openapi/messages/${messageId}`);
    await api.must(404, 'POST', '/openapi/messages', { conversation_id: made.id, text: 'x' });
    await open({ links: [link] });
  });
});
