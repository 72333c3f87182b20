import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;
let connection: Json;

const create = (body: Json, status = 201) => api.must(status, 'POST', '/openapi/conversations', body);
const group = (more: Json = {}) => create({ participant_ids: [], ...more });
const contact = (name: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/users', { display_name: name, ...more });
const read = (one: Json) => api.must(200, 'GET', `/openapi/conversations/${one.id}`);
const inbound = (address: string, text = 'Hi') =>
  api.must(201, 'POST', '/openapi/sandbox/inbound', { address, text });
const list = async (path: string) => (await api.must<{ data: Json[] }>(200, 'GET', path)).data;

beforeAll(async () => {
  service = await shareService();
  api = service.client(await service.createKey({ test: true }));
  me = await api.must(200, 'GET', '/openapi/users/me');
  const platform = await eventually(
    () => api.must(200, 'GET', '/openapi/platforms/sandbox'),
    ({ status }) => status === 'connected',
  );
  connection = (platform.connections as Json[])[0] as Json;
});

describe('participants', () => {
  it('are listed oldest or newest first, including those who left, and filtered', async () => {
    const people = [await contact('One'), await contact('Two')];
    const made = await group();
    const path = `/openapi/conversations/${made.number}/participants`;
    for (const { id } of people) await api.must(201, 'POST', path, { user_id: id });
    await api.must(204, 'DELETE', `${path}/${people[0]?.id}`);
    const ids = async (query: string) => (await list(path + query)).map(({ user_id }) => user_id);
    expect(await ids('')).toEqual([people[1]?.id, people[0]?.id, me.id]);
    expect(await ids('?order=asc')).toEqual([me.id, people[0]?.id, people[1]?.id]);
    expect(await ids('?sort=joined_at&limit=1&cursor=')).toEqual([people[1]?.id]);
    expect(await ids(`?filter=user_id:${people[0]?.id}`)).toEqual([people[0]?.id]);
    expect(await ids('?filter=role:owner')).toEqual([me.id]);
    expect(fieldsOf(await api.get(`${path}?sort=created_at`))).toEqual([['sort', 'invalid_value']]);
    expect((await read(made)).participants).toMatchObject([{ user_id: me.id }, { user_id: people[1]?.id }]);
    expect(fieldsOf(await api.post(path, { user_id: me.id, role: 'boss' }))).toEqual([
      ['role', 'invalid_value'],
    ]);
    await api.must(404, 'DELETE', `${path}/${NOBODY}`);
    await api.must(404, 'DELETE', `${path}/x`);
  });

  it('are added only once by concurrent requests', async () => {
    const made = await group();
    const { id } = await contact('Twin');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        api.post(`/openapi/conversations/${made.id}/participants`, { user_id: id }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('are limited to 250', async () => {
    const made = await group();
    const users: Json[] = [];
    for (let n = 0; n < 250; n += 25) {
      users.push(...(await Promise.all(Array.from({ length: 25 }, (_, i) => contact(`Crowd ${n + i}`)))));
    }
    const full = await group({ participant_ids: users.slice(0, 249).map(({ id }) => id) });
    expect(full.participants).toHaveLength(250);
    const refused = await api.post(`/openapi/conversations/${full.id}/participants`, {
      user_id: users[249]?.id,
    });
    expect([reasonOf(refused), (refused.body.details as Json).limit]).toEqual(['limit_reached', 250]);
    await api.must(204, 'DELETE', `/openapi/conversations/${made.id}`);
  });
});

describe('links', () => {
  it('accept all values of the contract and are found by their fields', async () => {
    const made = await group();
    const path = `/openapi/conversations/${made.id}/links`;
    const link = (more: Json = {}) => ({ connection_id: connection.id, external_id: 'sent+fields', ...more });
    const wrong: [Json, [string, string]][] = [
      [link({ connection_id: undefined }), ['connection_id', 'required']],
      [link({ external_id: '' }), ['external_id', 'too_short']],
      [link({ external_id: 'x'.repeat(257) }), ['external_id', 'too_long']],
      [link({ direction: 'both' }), ['direction', 'invalid_value']],
      [link({ attribution: 'name' }), ['attribution', 'invalid_value']],
      [link({ external_thread_id: '' }), ['external_thread_id', 'too_short']],
    ];
    for (const [body, problem] of wrong) expect(fieldsOf(await api.post(path, body))).toEqual([problem]);
    const one = await api.must(201, 'POST', path, link({ attribution: 'persona', direction: 'outbound' }));
    expect(one).toMatchObject({
      attribution: 'persona',
      direction: 'outbound',
      status: 'active',
      title: null,
    });
    const thread = await api.must(201, 'POST', path, link({ external_thread_id: 't1' }));
    for (const filter of [
      'external_id:sent+fields',
      'platform:sandbox',
      'status:active',
      `connection_id:${connection.id}`,
    ]) {
      const found = await list(`${path}?order=asc&filter=${encodeURIComponent(filter)}`);
      expect(found).toEqual([one, thread]);
    }
    expect((await list(`${path}?filter=direction:outbound`)).map(({ id }) => id)).toEqual([one.id]);
    expect(await read(made)).toMatchObject({ links: [one, thread], platforms: ['sandbox'] });
    await api.must(404, 'DELETE', `${path}/${NOBODY}`);
    const other = await group();
    await api.must(404, 'DELETE', `/openapi/conversations/${other.id}/links/${one.id}`);
  });

  it('that are inbound receive no deliveries, while outbound ones do', async () => {
    const made = await group({
      links: [
        { connection_id: connection.id, external_id: 'sent+in', direction: 'inbound' },
        { connection_id: connection.id, external_id: 'sent+out', direction: 'outbound' },
      ],
    });
    const [into, out] = made.links as Json[];
    const said = await api.must(201, 'POST', '/openapi/messages', { conversation_id: made.id, text: 'x' });
    expect((said.deliveries as Json[]).map(({ link_id }) => link_id)).toEqual([out?.id]);
    const came = await inbound('sent+in');
    expect(came).toMatchObject({ conversation_id: made.id, origin: { link_id: into?.id } });
    expect((came.deliveries as Json[]).map(({ link_id }) => link_id)).toEqual([out?.id]);
    const alone = await group({
      links: [{ connection_id: connection.id, external_id: 'sent+alone', direction: 'inbound' }],
      message: { text: 'nobody hears' },
    });
    expect(await api.must(200, 'GET', `/openapi/messages/${(alone.last_message as Json).id}`)).toMatchObject({
      direction: 'internal',
      status: 'sent',
      deliveries: [],
    });
  });
});

describe('the first message of a conversation', () => {
  it('accepts all fields of a message, or nothing is stored', async () => {
    const made = await group({
      message: { text: '**x**', content_type: 'markdown', internal: true, metadata: { a: 1 } },
    });
    const { id } = made.last_message as Json;
    expect(await api.must(200, 'GET', `/openapi/messages/${id}`)).toMatchObject({
      content_type: 'markdown',
      direction: 'internal',
      metadata: { a: 1 },
    });
    const before = (await read(made)).number;
    const unknown = await api.post('/openapi/conversations', {
      participant_ids: [],
      message: { text: 'x', reply_to_id: NOBODY },
    });
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'message.reply_to_id' }]);
    expect((await group()).number).toBe(Number(before) + 1);
    const elsewhere = [{ reply_to_id: id }, { thread_id: id }].map((of) => ({ text: 'x', ...of }));
    for (const message of [
      { text: '' },
      { text: 'x', ttl_seconds: 1 },
      { text: 'x', send_at: 'x' },
      ...elsewhere,
    ]) {
      const [[field] = ['']] = fieldsOf(
        await api.post('/openapi/conversations', { participant_ids: [], message }),
      );
      expect(field).toMatch(/^message\./);
    }
  });
});
