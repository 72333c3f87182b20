import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { formOf } from '../support/files.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let live: ApiClient;
let api: ApiClient;

const inbound = (body: Json) => api.post('/openapi/sandbox/inbound', body);

beforeAll(async () => {
  service = await shareService();
  live = service.client();
  const key = await service.createKey({ test: true });
  expect(key).toMatch(/^tl_test_[0-9A-Za-z]{49}$/);
  api = service.client(key);
});

describe('writing as a person', () => {
  it('uses the message format of version 2.0', async () => {
    const path = '/v2/openapi/sandbox/inbound';
    const { content } = await api.must(201, 'POST', path, { address: 'eve', content: { text: 'Hello' } });
    expect(content).toMatchObject({ text: 'Hello', format: 'text' });
    const flat = await api.post(path, { address: 'eve', text: 'Hello' });
    expect(fieldsOf(flat)).toContainEqual(['text', 'unknown_field']);
  });

  it('opens a conversation, and returns the same message for a repeated id', async () => {
    const body = { address: 'ann', text: 'Hello there', external_message_id: 'm-1' };
    const first = await inbound(body);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      text: 'Hello there',
      direction: 'inbound',
      status: 'received',
      platform: 'sandbox',
      deliveries: [],
      origin: { external_id: 'm-1', external_sender_id: 'ann' },
    });
    const again = await inbound(body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await inbound({ ...body, external_message_id: 'm-2', text: 'More' });
    expect(other.status).toBe(201);
    expect(other.body.conversation_id).toBe(first.body.conversation_id);
    const without = await Promise.all([
      inbound({ address: 'ann', text: 'x' }),
      inbound({ address: 'ann', text: 'x' }),
    ]);
    expect(new Set(without.map(({ body: { id } }) => id)).size).toBe(2);
    const conversation = await api.must(200, 'GET', `/openapi/conversations/${first.body.conversation_id}`);
    expect(conversation).toMatchObject({
      type: 'direct',
      platform: 'sandbox',
      participants: [{ user_id: first.body.sender_id, role: 'customer' }],
      links: [{ external_id: 'ann' }],
    });
    const found = await api.must(200, 'POST', '/openapi/conversations', {
      recipient: { platform: 'sandbox', address: 'ann' },
    });
    expect(found.id).toBe(conversation.id);
    const me = await api.must(200, 'GET', '/openapi/users/me');
    expect(found.participants).toMatchObject([
      { user_id: first.body.sender_id, role: 'customer' },
      { user_id: me.id, role: 'agent' },
    ]);
  });

  it('stores only one of several parallel messages with the same id', async () => {
    const body = { address: 'parallel', text: 'x', external_message_id: 'p-1' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => inbound(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
  });

  it('is relayed to the other chats of the conversation', async () => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    const links = ['bridge-a', 'sent+bridge-b'].map((external_id) => ({
      connection_id: data[0]?.id,
      external_id,
    }));
    await api.must(201, 'POST', '/openapi/conversations', { links });
    const { body } = await inbound({ address: 'bridge-a', text: 'Over to you' });
    const relayed = await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${body.id}`),
      ({ deliveries }) => (deliveries as Json[])[0]?.status === 'sent',
    );
    expect(relayed.deliveries).toMatchObject([{ external_chat_id: 'sent+bridge-b' }]);
    expect(relayed.status).toBe('received');
  });

  it('accepts attachments and refuses invalid fields', async () => {
    const place = await inbound({
      address: 'ann',
      text: '',
      attachments: [{ type: 'location', latitude: 1, longitude: 2 }],
    });
    expect([place.status, place.body.attachments]).toMatchObject([
      201,
      [{ type: 'location', latitude: 1, longitude: 2 }],
    ]);
    const wrong: [Json, [string, string]][] = [
      [{ text: 'x' }, ['address', 'required']],
      [{ address: 'a' }, ['text', 'required']],
      [{ address: '', text: 'x' }, ['address', 'too_short']],
      [{ address: 'a'.repeat(257), text: 'x' }, ['address', 'too_long']],
      [{ address: 'a', text: ' ' }, ['text', 'too_short']],
      [{ address: 'a', text: 'x', external_message_id: '' }, ['external_message_id', 'too_short']],
      [{ address: 'a\u0000', text: 'x' }, ['address', 'malformed']],
    ];
    for (const [body, problem] of wrong) expect(fieldsOf(await inbound(body))).toEqual([problem]);
  });

  it('accepts an uploaded file, and stores its own copy', async () => {
    const part = { name: 'file', value: 'Thank you.', fileName: 'thanks.txt', type: 'text/plain' };
    const { body: form, headers } = formOf([part]);
    const { id } = (await api.post('/openapi/attachments', form, { headers })).body;
    const { body } = await inbound({ address: 'ann', text: 'Look', attachments: [{ upload_id: id }] });
    const facts = { type: 'file', name: 'thanks.txt', mime_type: 'text/plain', size: 10 };
    expect(body.attachments).toMatchObject([facts]);
    const [copy] = await eventually(
      async () => (await api.must(200, 'GET', `/openapi/messages/${body.id}`)).attachments as Json[],
      ([attachment]) => attachment?.state !== 'pending',
    );
    expect(copy).toMatchObject({ ...facts, state: 'ready' });
    expect(copy?.id).not.toBe(id);
    expect(await (await fetch(String(copy?.url))).text()).toBe('Thank you.');
  });

  it('drops messages of a blocked person', async () => {
    const { body } = await inbound({ address: 'rude', text: 'x' });
    await api.must(200, 'PATCH', `/openapi/users/${body.sender_id}`, { status: 'blocked' });
    expect(reasonOf(await inbound({ address: 'rude', text: 'y' }))).toBe('invalid_state');
  });

  it('is 404 with a live key and needs its scope with a test key', async () => {
    const body = { address: 'a', text: 'x' };
    expect((await live.post('/openapi/sandbox/inbound', body)).status).toBe(404);
    expect((await live.post('/openapi/sandbox/inbound', {})).status).toBe(404);
    const reader = service.client(await service.createKey({ test: true, scopes: 'platforms:read' }));
    const refused = await reader.post('/openapi/sandbox/inbound', body);
    expect([refused.status, refused.body.details]).toEqual([
      403,
      { required: ['platforms:write'], provided: ['platforms:read'] },
    ]);
  });

  it('notifies webhooks of the test workspace only', async () => {
    const receiver = await loopbackReceiver((_request, response) => response.end());
    const hooks = await Promise.all(
      [api, live].map((client, at) =>
        client.must(201, 'POST', '/api/webhooks', {
          url: `${receiver.url}${at}`,
          events: ['message.created'],
        }),
      ),
    );
    await inbound({ address: 'hooked', text: 'x' });
    await eventually(
      async () => receiver.received,
      (received) => received.length > 0,
    );
    expect(receiver.received.map(({ path }) => path)).toEqual(['/0']);
    await api.must(204, 'DELETE', `/api/webhooks/${hooks[0]?.id}`);
    await receiver.close();
  });
});
