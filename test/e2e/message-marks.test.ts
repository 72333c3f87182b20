import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: Service;
let api: ApiClient;
let me: Json;
let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };

const group = (more: Json = {}) =>
  api.must(201, 'POST', '/openapi/conversations', { participant_ids: [], ...more });
const say = (conversation: Json, text: string, more: Json = {}) =>
  api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text, ...more });
const inbound = (address: string, text: string) =>
  api.must(201, 'POST', '/openapi/sandbox/inbound', { address, text });
const message = (id: unknown) => api.must(200, 'GET', `/openapi/messages/${id}`);
const conversation = (id: unknown) => api.must(200, 'GET', `/openapi/conversations/${id}`);
const open = (address: string, text = 'Hello') =>
  api.must(201, 'POST', '/openapi/conversations', {
    recipient: { platform: 'sandbox', address },
    message: { text },
  });
const lastOf = ({ last_message }: Json) => message((last_message as Json).id);
const dataOf = (event: Json | undefined) => (event?.data ?? {}) as Json;
const deliveryOf = (one: Json) => (one.deliveries as Json[])[0] as Json;
const emoji = (id: unknown, text: string) => `/openapi/messages/${id}/reactions/${encodeURIComponent(text)}`;
const reactions = async (id: unknown) => (await message(id)).reactions as Json[];

/** Sends to a scripted address and waits until the message is in a state. */
async function outcome(address: string, status: string): Promise<Json> {
  const opened = await open(address);
  return eventually(
    () => lastOf(opened),
    (one) => one.status === status,
  );
}

/** Events about a record, oldest first, once as many as expected have arrived. */
async function events(kind: string, matches: (data: Json) => boolean, count = 1): Promise<Json[]> {
  const read = async () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as Json)
      .filter(({ event, data }) => String(event).startsWith(kind) && matches(data as Json))
      .sort((a, b) => Number((a.data as Json).sequence) - Number((b.data as Json).sequence));
  return eventually(read, (found) => found.length >= count);
}

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  service = await startService();
  api = service.client(await service.createKey({ test: true }));
  me = await api.must(200, 'GET', '/openapi/users/me');
  await api.must(201, 'POST', '/api/webhooks', {
    url: `${receiver.url}hook`,
    events: ['messages', 'delivery.updated', 'reaction.*', 'typing.*'],
  });
  await eventually(
    () => api.must(200, 'GET', '/openapi/platforms/sandbox'),
    ({ status }) => status === 'connected',
  );
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});

describe('reading a message', () => {
  it('adds the caller once, moves an inbound one to read and tells who read it', async () => {
    const received = await inbound('reader', 'Hi');
    expect(received).toMatchObject({ status: 'received', read_by: [], direction: 'inbound' });
    const read = await api.must(200, 'POST', `/openapi/messages/${received.id}/read`);
    const receipt = { user_id: me.id, read_at: expect.any(String), platform: null };
    expect(read).toMatchObject({ status: 'read', read_by: [receipt] });
    expect(await api.must(200, 'POST', `/openapi/messages/${received.id}/read`)).toEqual(read);
    expect(await message(received.id)).toEqual(read);
    const told = await events('message.read', ({ id }) => id === received.id);
    expect(told).toMatchObject([
      { data: { status: 'read', reader: (read.read_by as Json[])[0], previous: { status: 'received' } } },
    ]);
  });

  it('counts what the caller has not read, message by message', async () => {
    const one = await inbound('counter', 'one');
    const two = await inbound('counter', 'two');
    const unread = async () => (await conversation(one.conversation_id)).unread_count;
    expect(await unread()).toBe(2);
    await api.must(200, 'POST', `/openapi/messages/${two.id}/read`);
    expect(await unread()).toBe(1);
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/conversations?limit=100');
    expect(data.find(({ id }) => id === one.conversation_id)).toMatchObject({ unread_count: 1 });
    await api.must(200, 'POST', `/openapi/messages/${one.id}/read`);
    expect(await unread()).toBe(0);
  });

  it('shows at the participant, and does not count own messages', async () => {
    const room = await group();
    const own = await say(room, 'mine');
    expect(await conversation(room.id)).toMatchObject({ unread_count: 0 });
    const { read_by: readBy, status } = await api.must(200, 'POST', `/openapi/messages/${own.id}/read`);
    expect(status).toBe('sent');
    const { participants } = await conversation(room.id);
    expect((participants as Json[])[0]?.last_read_at).toBe((readBy as Json[])[0]?.read_at);
  });

  it('takes the receipts of platforms in, with their platform', async () => {
    const read = await outcome('deliver+receipt', 'read');
    const { participants } = await conversation(read.conversation_id);
    const contact = (participants as Json[]).find(({ role }) => role === 'customer') as Json;
    expect(read.read_by).toMatchObject([{ user_id: contact.user_id, platform: 'sandbox' }]);
    expect(contact.last_read_at).toBe((read.read_by as Json[])[0]?.read_at);
    const [told] = await events('message.read', ({ id }) => id === read.id);
    expect(dataOf(told).reader).toEqual((read.read_by as Json[])[0]);
  });

  it('is 404 for a message that is not there', async () => {
    await api.must(404, 'POST', `/openapi/messages/${NOBODY}/read`);
    await api.must(404, 'POST', '/openapi/messages/x/read');
    const gone = await say(await group(), 'x');
    await api.must(204, 'DELETE', `/openapi/messages/${gone.id}`);
    await api.must(404, 'POST', `/openapi/messages/${gone.id}/read`);
  });

  it('repeats its answer under one Idempotency-Key', async () => {
    const { id } = await say(await group(), 'x');
    const headers = { 'idempotency-key': `read ${id}` };
    const first = await api.post(`/openapi/messages/${id}/read`, undefined, { headers });
    const again = await api.post(`/openapi/messages/${id}/read`, undefined, { headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });
});

describe('reacting to a message', () => {
  it('shows emoji, count and users, repeated without effect, and takes it back', async () => {
    const { id } = await say(await group(), 'nice');
    const made = await api.must(200, 'PUT', emoji(id, '👍'));
    expect(made.reactions).toEqual([{ emoji: '👍', count: 1, user_ids: [me.id] }]);
    expect(await api.must(200, 'PUT', emoji(id, '👍'))).toEqual(made);
    await api.must(200, 'PUT', emoji(id, ':+1:'));
    expect(await reactions(id)).toMatchObject([{ emoji: '👍' }, { emoji: ':+1:' }]);
    await api.must(204, 'DELETE', emoji(id, '👍'));
    await api.must(404, 'DELETE', emoji(id, '👍'));
    expect(await reactions(id)).toMatchObject([{ emoji: ':+1:', count: 1 }]);
    const told = await events('reaction.', (data) => data.message_id === id, 3);
    expect(told.map(({ event, data }) => [event, dataOf({ data }).emoji])).toEqual([
      ['reaction.added', '👍'],
      ['reaction.added', ':+1:'],
      ['reaction.removed', '👍'],
    ]);
    expect(told[0]?.data).toEqual({
      message_id: id,
      conversation_id: made.conversation_id,
      user_id: me.id,
      emoji: '👍',
      platform: null,
      sequence: expect.any(Number),
    });
  });

  it('ignores variation selectors, and keeps every kind of emoji apart', async () => {
    const { id } = await say(await group(), 'x');
    for (const one of ['❤️', '❤', '👩‍👩‍👧', '🇩🇪', '#️⃣', '👍🏽']) await api.must(200, 'PUT', emoji(id, one));
    expect((await reactions(id)).map((one) => one.emoji)).toEqual(['❤️', '👩‍👩‍👧', '🇩🇪', '#️⃣', '👍🏽']);
    await api.must(204, 'DELETE', emoji(id, '❤'));
    expect((await reactions(id)).map((one) => one.emoji)).not.toContain('❤️');
  });

  it.each(['a', '1', '👍👍', 'thumbsup', ':Up:', '::', `:${'a'.repeat(63)}:`, ' 👍', '👍a'])(
    'refuses %s',
    async (text) => {
      const { id } = await say(await group(), 'x');
      for (const method of ['PUT', 'DELETE']) {
        const answer = await api.send(method, emoji(id, text));
        expect(fieldsOf(answer)).toEqual([['emoji', 'invalid_value']]);
      }
    },
  );

  it('takes 20 different ones and no more', async () => {
    const { id } = await say(await group(), 'x');
    for (let n = 0; n < 20; n += 1) await api.must(200, 'PUT', emoji(id, `:e${n}:`));
    const refused = await api.send('PUT', emoji(id, '👍'));
    expect([reasonOf(refused), (refused.body.details as Json).limit]).toEqual(['limit_reached', 20]);
    await api.must(200, 'PUT', emoji(id, ':e3:'));
  });

  it('is 404 for a message that is not there, and not of version 2.0 alone', async () => {
    await api.must(404, 'PUT', emoji(NOBODY, '👍'));
    await api.must(404, 'DELETE', emoji(NOBODY, '👍'));
    const { id } = await say(await group(), 'x');
    const shown = await api.must(200, 'PUT', `/v2${emoji(id, '🎉')}`);
    expect(shown).toMatchObject({ reactions: [{ emoji: '🎉' }], content: { text: 'x' } });
  });

  it('reaches the platform copy, and is taken back there', async () => {
    const sent = await outcome('sent+reaction', 'sent');
    const [part] = deliveryOf(sent).parts as Json[];
    const written = () =>
      service.log.filter(
        ({ msg, targetId }) => msg === 'sandbox.step_accepted' && targetId === part?.external_id,
      );
    await api.must(200, 'PUT', emoji(sent.id, '👍'));
    await eventually(
      async () => written().length,
      (count) => count === 1,
    );
    await api.must(204, 'DELETE', emoji(sent.id, '👍'));
    await eventually(
      async () => written().length,
      (count) => count === 2,
    );
    expect(written()).toMatchObject([{ action: 'signal' }, { action: 'signal' }]);
  });
});
