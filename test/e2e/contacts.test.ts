import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;
let receiver: Awaited<ReturnType<typeof loopbackReceiver>>;

const contact = (body: Json) => api.must(201, 'POST', '/openapi/users', body);
const user = (id: unknown) => api.must(200, 'GET', `/openapi/users/${id}`);
const write = (address: string, text: string) =>
  api.must(201, 'POST', '/openapi/sandbox/inbound', { address, text });
const say = (conversation: unknown, text: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation, text, ...more });
const messages = async (conversation: unknown, direction = 'outbound') =>
  (
    await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?conversation_id=${conversation}&filter=direction:${direction}&order=asc`,
    )
  ).data;

/** The events of one type about a user that reached the webhook. */
const told = (event: string, id: unknown) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as { event: string; data: Json })
    .filter(({ event: name, data }) => name === event && (data.id === id || data.user_id === id))
    .map(({ data }) => data);
const hear = async (event: string, id: unknown, count = 1) =>
  (
    await eventually(
      async () => told(event, id),
      ({ length }) => length >= count,
    )
  ).at(-1) as Json;

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
  me = await api.must(200, 'GET', '/openapi/users/me');
  receiver = await loopbackReceiver((_request, response) => response.end());
  await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['user.*'] });
});
afterAll(async () => {
  await receiver?.close();
});

describe('a deleted contact', () => {
  it('is gone everywhere, while records keep the id', async () => {
    const { sender_id: id, conversation_id: conversation } = await write('leaver', 'My name is Lea');
    const blocked = await api.must(200, 'PATCH', `/openapi/users/${id}`, {
      email: 'lea@example.test',
      username: 'lea',
      phone: '+4915112345678',
    });
    expect(blocked.username).toBe('lea');
    await api.must(204, 'DELETE', `/openapi/users/${id}`);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/merge'],
    ]) {
      const body = path === '/merge' ? { source_id: me.id } : method === 'PATCH' ? { email: '' } : undefined;
      await api.must(404, method as string, `/openapi/users/${id}${path}`, body);
    }
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', `/openapi/users?filter=id:${id}`);
    expect(data).toEqual([]);
    expect(await hear('user.deleted', id)).toMatchObject({ id, deleted_at: expect.any(String) });
    const [said] = await messages(conversation, 'inbound');
    expect(said).toMatchObject({ sender_id: id, origin: { external_sender_id: 'erased' } });
    const links = await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/conversations/${conversation}/links`,
    );
    expect(links.data).toEqual([]);
    const again = await contact({
      display_name: 'Lea again',
      username: 'lea',
      identities: [{ platform: 'sandbox', external_id: 'leaver' }],
    });
    const message = await write('leaver', 'It is me');
    expect(message.sender_id).toBe(again.id);
    expect(message.conversation_id).not.toBe(conversation);
  });

  it('is never a member: only contacts can be deleted, and only with profile:write', async () => {
    expect(reasonOf(await api.delete(`/openapi/users/${me.id}`))).toBe('not_a_contact');
    await api.must(404, 'DELETE', `/openapi/users/${NOBODY}`);
    const reader = service.client(await service.createKey({ test: true, scopes: 'profile:read' }));
    const { id } = await contact({ display_name: 'Kept' });
    const refused = await reader.delete(`/openapi/users/${id}`);
    expect([refused.status, (refused.body.details as Json).required]).toEqual([403, ['profile:write']]);
  });
});

describe('merging', () => {
  it('moves identities, conversations and messages, and removes the source', async () => {
    const source = await write('merge-b', 'From b');
    const target = await write('merge-a', 'From a');
    await api.must(200, 'PATCH', `/openapi/users/${source.sender_id}`, { consent: { marketing: 'denied' } });
    const merged = await api.must(200, 'POST', `/openapi/users/${target.sender_id}/merge`, {
      source_id: source.sender_id,
    });
    expect(merged).toMatchObject({ id: target.sender_id, display_name: 'merge-a' });
    expect((merged.identities as Json[]).map(({ external_id }) => external_id).sort()).toEqual([
      'merge-a',
      'merge-b',
    ]);
    expect((merged.consent as Json).marketing).toBe('denied');
    expect((merged.identities as Json[]).every(({ opt_out }) => String(opt_out) === 'marketing')).toBe(true);
    await api.must(404, 'GET', `/openapi/users/${source.sender_id}`);
    const moved = await api.must(200, 'GET', `/openapi/messages/${source.id}`);
    expect(moved.sender_id).toBe(target.sender_id);
    const conversation = await api.must(200, 'GET', `/openapi/conversations/${source.conversation_id}`);
    expect((conversation.participants as Json[]).map(({ user_id }) => user_id)).toEqual([target.sender_id]);
    expect(await hear('user.merged', target.sender_id)).toMatchObject({
      id: target.sender_id,
      merged_id: source.sender_id,
    });
    expect((await write('merge-b', 'Still here')).sender_id).toBe(target.sender_id);
  });

  it('has one effect per Idempotency-Key', async () => {
    const [one, other] = [await contact({ display_name: 'One' }), await contact({ display_name: 'Other' })];
    const merge = () =>
      api.post(
        `/openapi/users/${one.id}/merge`,
        { source_id: other.id },
        { headers: { 'idempotency-key': 'merge-1' } },
      );
    const first = await merge();
    const second = await merge();
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(second.body).toEqual(first.body);
  });

  it('refuses the same contact, an unknown one, and a user who is not a contact', async () => {
    const { id } = await contact({ display_name: 'Single' });
    const path = `/openapi/users/${id}/merge`;
    expect(fieldsOf(await api.post(path, { source_id: id }))).toEqual([['source_id', 'invalid_value']]);
    expect(fieldsOf(await api.post(path, {}))).toEqual([['source_id', 'required']]);
    expect(fieldsOf(await api.post(path, { source_id: 'x' }))).toEqual([['source_id', 'invalid_format']]);
    const unknown = await api.post(path, { source_id: NOBODY });
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'source_id' }]);
    const nobody = await api.post(`/openapi/users/${NOBODY}/merge`, { source_id: id });
    expect([nobody.status, nobody.body.details]).toEqual([404, undefined]);
    expect(reasonOf(await api.post(path, { source_id: me.id }))).toBe('not_a_contact');
    expect(reasonOf(await api.post(`/openapi/users/${me.id}/merge`, { source_id: id }))).toBe(
      'not_a_contact',
    );
  });
});

describe('presence', () => {
  it('is the choice of the user, with an event', async () => {
    const busy = await api.must(200, 'PATCH', '/openapi/users/me', { presence: 'busy' });
    expect(busy).toMatchObject({ presence: 'busy', last_seen_at: expect.any(String) });
    expect(await hear('user.presence_changed', me.id)).toMatchObject({ presence: 'busy' });
    expect(await api.must(200, 'PATCH', '/openapi/users/me', { presence: 'busy' })).toEqual(busy);
    const path = `/openapi/users/${me.id}`;
    expect(await api.must(200, 'PATCH', path, { presence: 'away' })).toMatchObject({ presence: 'away' });
    expect(fieldsOf(await api.patch(path, { email: 'x@example.test' }))).toEqual([['email', 'read_only']]);
    const { id } = await contact({ display_name: 'Elsewhere' });
    const refused = await api.patch(`/openapi/users/${id}`, { presence: 'away' });
    expect(fieldsOf(refused)).toEqual([['presence', 'read_only']]);
  });
});

describe('opting out', () => {
  it('by a keyword blocks everything until the contact writes again, and is confirmed once', async () => {
    const { sender_id: id, conversation_id: conversation } = await write('sent+stopper', 'Hello');
    await write('sent+stopper', ' stop ');
    const out = await hear('user.opted_out', id);
    expect(out).toMatchObject({
      user_id: id,
      categories: ['marketing', 'notification'],
      source: 'keyword',
      keyword: 'STOP',
      identities: [{ platform: 'sandbox', external_id: 'sent+stopper' }],
    });
    expect(await user(id)).toMatchObject({
      consent: { marketing: 'denied', notification: 'denied', tracking: 'unknown' },
      identities: [{ opt_out: ['marketing', 'notification'] }],
    });
    const [confirmation] = await eventually(
      () => messages(conversation),
      ([first]) => first?.status === 'sent',
    );
    expect(confirmation?.text).toMatch(/unsubscribed/i);
    await write('sent+stopper', 'STOP');
    for (const category of ['conversational', 'transactional', 'marketing']) {
      expect(await say(conversation, 'Wait!', { category })).toMatchObject({
        status: 'blocked',
        error: { code: 'opted_out' },
      });
    }
    await write('sent+stopper', 'A question, though');
    expect(await say(conversation, 'Yes?')).toMatchObject({ status: 'queued' });
    expect(await say(conversation, 'Buy!', { category: 'marketing' })).toMatchObject({ status: 'blocked' });
    const texts = (await messages(conversation)).map(({ text }) => text);
    expect(texts.filter((text) => /unsubscribed/i.test(String(text)))).toHaveLength(1);
    expect(told('user.opted_out', id)).toHaveLength(1);
  });

  it('is undone by START, and HELP is answered', async () => {
    const { sender_id: id, conversation_id: conversation } = await write('sent+starter', '/stop');
    await write('sent+starter', 'start');
    expect(await hear('user.opted_in', id)).toMatchObject({ source: 'keyword', keyword: 'START' });
    expect(await user(id)).toMatchObject({
      consent: { marketing: 'granted', notification: 'granted' },
      identities: [{ opt_out: [] }],
    });
    await write('sent+starter', 'help');
    const answers = await eventually(
      () => messages(conversation),
      ({ length }) => length === 2,
    );
    expect(answers.map(({ metadata }) => (metadata as Json).notice)).toEqual(['opted_out', 'help']);
    expect(await say(conversation, 'Sale', { category: 'marketing' })).toMatchObject({ status: 'queued' });
  });

  it('is confirmed once to an address that replies STOP to every message', async () => {
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      recipient: { platform: 'sandbox', address: 'stop+echo' },
      message: { text: 'Hello' },
    });
    const inbound = await eventually(
      () => messages(conversation.id, 'inbound'),
      ({ length }) => length >= 1,
    );
    expect(inbound.map(({ text }) => text)).toEqual(['STOP']);
    const sent = await eventually(
      () => messages(conversation.id),
      (all) => all.length === 2 && all.every(({ status }) => status === 'read'),
    );
    expect(sent.map(({ metadata }) => (metadata as Json).notice)).toEqual([undefined, 'opted_out']);
  });

  it('through the API writes an event, and can be undone', async () => {
    const { id } = await contact({
      display_name: 'Quiet',
      identities: [{ platform: 'sandbox', external_id: 'sent+quiet' }],
    });
    const patch = (consent: Json) => api.must(200, 'PATCH', `/openapi/users/${id}`, { consent });
    expect(await patch({ notification: 'denied' })).toMatchObject({
      consent: { marketing: 'unknown', notification: 'denied' },
      identities: [{ opt_out: ['notification'] }],
    });
    expect(await hear('user.opted_out', id)).toMatchObject({
      categories: ['notification'],
      source: 'api',
      keyword: null,
    });
    expect(await patch({ notification: 'granted' })).toMatchObject({ identities: [{ opt_out: [] }] });
    expect(await hear('user.opted_in', id)).toMatchObject({ categories: ['notification'], source: 'api' });
  });
});

describe('a blocked contact', () => {
  it('receives no messages while blocked, and the sender sees the reason', async () => {
    const { sender_id: id, conversation_id: conversation } = await write('sent+nuisance', 'Hello');
    await api.must(200, 'PATCH', `/openapi/users/${id}`, { status: 'blocked' });
    expect(await hear('user.status_changed', id)).toMatchObject({
      status: 'blocked',
      previous: { status: 'active' },
    });
    expect(await say(conversation, 'Hello?')).toMatchObject({
      status: 'blocked',
      error: { code: 'blocked_by_recipient' },
    });
    await api.must(200, 'PATCH', `/openapi/users/${id}`, { status: 'active' });
    expect(await say(conversation, 'Hello?')).toMatchObject({ status: 'queued' });
  });
});
