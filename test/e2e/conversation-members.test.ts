import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
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

describe('participants', () => {
  it('join, leave and return, and the list keeps those who left', async () => {
    const { id } = await group();
    const path = `/openapi/conversations/${id}/participants`;
    const joined = await api.must(201, 'POST', path, { user_id: ann.id });
    expect(joined).toMatchObject({ user_id: ann.id, role: 'customer', left_at: null, last_read_at: null });
    expect(reasonOf(await api.post(path, { user_id: ann.id }))).toBe('already_exists');
    await api.must(204, 'DELETE', `${path}/${ann.id}`);
    await api.must(404, 'DELETE', `${path}/${ann.id}`);
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', `${path}?order=asc`);
    expect(data).toMatchObject([
      { user_id: me.id, left_at: null },
      { user_id: ann.id, left_at: expect.any(String) },
    ]);
    expect((await api.must<{ data: Json[] }>(200, 'GET', `${path}?filter=role:customer`)).data).toHaveLength(
      1,
    );
    await api.must(201, 'POST', path, { user_id: ann.id, role: 'agent' });
  });

  it('cannot be added to a direct conversation, and must exist', async () => {
    const carl = await contact('Carl');
    const direct = await open({ participant_ids: [carl.id] });
    const refused = await api.post(`/openapi/conversations/${direct.id}/participants`, { user_id: ann.id });
    expect(reasonOf(refused)).toBe('invalid_state');
    const { id } = await group();
    const nobody = await api.post(`/openapi/conversations/${id}/participants`, { user_id: NOBODY });
    expect([nobody.status, nobody.body.details]).toEqual([404, { field: 'user_id' }]);
    expect(fieldsOf(await api.post(`/openapi/conversations/${id}/participants`, {}))).toEqual([
      ['user_id', 'required'],
    ]);
    await api.must(404, 'POST', `/openapi/conversations/${NOBODY}/participants`, { user_id: ann.id });
  });
});

describe('links', () => {
  it('are added, listed and removed, and a message goes to each outbound one', async () => {
    const { id } = await group();
    const path = `/openapi/conversations/${id}/links`;
    const one = await api.must(201, 'POST', path, {
      connection_id: connection.id,
      external_id: '-1',
      external_thread_id: '5',
      title: 'T',
      attribution: 'none',
    });
    expect(one).toMatchObject({
      conversation_id: id,
      platform: 'telegram',
      external_thread_id: '5',
      attribution: 'none',
      last_inbound_at: null,
    });
    const two = await api.must(201, 'POST', path, { connection_id: connection.id, external_id: '-2' });
    await api.must(201, 'POST', path, {
      connection_id: connection.id,
      external_id: '-3',
      direction: 'inbound',
    });
    const message = await api.must(201, 'POST', '/openapi/messages', { conversation_id: id, text: 'to two' });
    expect(message).toMatchObject({ status: 'queued', direction: 'outbound', platform: null });
    expect((message.deliveries as Json[]).map(({ link_id }) => link_id)).toEqual([one.id, two.id]);

    await api.must(204, 'DELETE', `${path}/${one.id}`);
    await api.must(404, 'DELETE', `${path}/${one.id}`);
    const left = await api.must<{ data: Json[] }>(200, 'GET', `${path}?filter=direction:two_way`);
    expect(left.data.map((link) => link.id)).toEqual([two.id]);
    const after = await api.must(200, 'GET', `/openapi/messages/${message.id}`);
    expect((after.deliveries as Json[]).map(({ status }) => status)).toEqual(['canceled', 'queued']);
    await api.must(204, 'DELETE', `${path}/${two.id}`);
    expect(await api.must(200, 'GET', `/openapi/messages/${message.id}`)).toMatchObject({
      status: 'canceled',
    });
  });

  it('require an existing connection and a chat that is not linked yet', async () => {
    const { id } = await group();
    const path = `/openapi/conversations/${id}/links`;
    const nobody = await api.post(path, { connection_id: NOBODY, external_id: '1' });
    expect([nobody.status, nobody.body.details]).toEqual([404, { field: 'connection_id' }]);
    const link = await api.must(201, 'POST', path, { connection_id: connection.id, external_id: '-77' });
    const twice = await api.post(path, { connection_id: connection.id, external_id: '-77' });
    expect([reasonOf(twice), (twice.body.details as Json).id]).toEqual(['already_exists', link.id]);
    expect(twice.body.message).toMatch(/^This chat is linked to conversation \d+( \(.+\))? already\./);
    expect(twice.body.details).toEqual({ reason: 'already_exists', id: link.id });
    await api.must(404, 'POST', `/openapi/conversations/${NOBODY}/links`, {
      connection_id: connection.id,
      external_id: '1',
    });
  });

  it('are limited to 20', async () => {
    const links = Array.from({ length: 20 }, (_, n) => ({
      connection_id: connection.id,
      external_id: `-9${n}`,
    }));
    const { id, links: made } = await open({ links });
    expect((made as Json[]).map((link) => link.external_id)).toEqual(links.map((link) => link.external_id));
    const refused = await api.post(`/openapi/conversations/${id}/links`, {
      connection_id: connection.id,
      external_id: '-900',
    });
    expect([reasonOf(refused), (refused.body.details as Json).limit]).toEqual(['limit_reached', 20]);
  });
});

describe('listing conversations', () => {
  it('filters by people, labels, platform and state, and sorts by number', async () => {
    const one = await group({
      labels: ['red', 'blue'],
      type: 'group',
      title: 'Find me, please',
      participant_ids: [ann.id, me.id],
    });
    const found = async (filter: string) => {
      const path = `/openapi/conversations?sort=number&order=asc&filter=${encodeURIComponent(filter)}`;
      return (await api.must<{ data: Json[] }>(200, 'GET', path)).data.map(({ id }) => id);
    };
    expect(await found('label:blue')).toEqual([one.id]);
    expect(await found(`title:~"me, PLEASE",participant_id:${me.id}`)).toEqual([one.id]);
    expect(await found(`number:${one.number}`)).toEqual([one.id]);
    expect(await found('label:nobody')).toEqual([]);
    const nobody = await api.get('/openapi/conversations?filter=participant_id:ann');
    expect(fieldsOf(nobody)).toEqual([['filter', 'invalid_format']]);
    const linked = await found('platform:telegram,-status:archived');
    expect(linked.length).toBeGreaterThan(2);
    expect(linked).not.toContain(one.id);
  });
});
