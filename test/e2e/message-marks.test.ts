import { describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json, reasonOf } from '../support/api-client.js';
import { beforeSandbox } from '../support/sandbox-talk.js';
import type { SharedService } from '../support/shared-service.js';

const NOBODY = '019b76da-a800-7000-8000-000000000001';

let service: SharedService;
let api: ApiClient;
let me: Json;

const { group, say, message, outcome, events } = beforeSandbox(
  ['messages', 'delivery.updated', 'reaction.*', 'typing.*'],
  async (given) => {
    ({ service, api } = given);
    me = await api.must(200, 'GET', '/openapi/users/me');
  },
);

const inbound = (address: string, text: string) =>
  api.must(201, 'POST', '/openapi/sandbox/inbound', { address, text });
const conversation = (id: unknown) => api.must(200, 'GET', `/openapi/conversations/${id}`);
const dataOf = (event: Json | undefined) => (event?.data ?? {}) as Json;
const deliveryOf = (one: Json) => (one.deliveries as Json[])[0] as Json;
const emoji = (id: unknown, text: string) => `/openapi/messages/${id}/reactions/${encodeURIComponent(text)}`;
const reactions = async (id: unknown) => (await message(id)).reactions as Json[];

describe('reading a message', () => {
  it('adds the caller once, sets an inbound message to read and writes an event with the reader', async () => {
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

  it('counts the unread messages of the caller, message by message', async () => {
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

  it('sets the last read time of the participant, and own messages never count as unread', async () => {
    const room = await group();
    const own = await say(room, 'mine');
    expect(await conversation(room.id)).toMatchObject({ unread_count: 0 });
    const { read_by: readBy, status } = await api.must(200, 'POST', `/openapi/messages/${own.id}/read`);
    expect(status).toBe('sent');
    const { participants } = await conversation(room.id);
    expect((participants as Json[])[0]?.last_read_at).toBe((readBy as Json[])[0]?.read_at);
  });

  it('includes the receipts of platforms, with their platform', async () => {
    const read = await outcome('deliver+receipt', 'read');
    const { participants } = await conversation(read.conversation_id);
    const contact = (participants as Json[]).find(({ role }) => role === 'customer') as Json;
    expect(read.read_by).toMatchObject([{ user_id: contact.user_id, platform: 'sandbox' }]);
    expect(contact.last_read_at).toBe((read.read_by as Json[])[0]?.read_at);
    const [told] = await events('message.read', ({ id }) => id === read.id);
    expect(dataOf(told).reader).toEqual((read.read_by as Json[])[0]);
  });

  it('is 404 for an unknown message', async () => {
    await api.must(404, 'POST', `/openapi/messages/${NOBODY}/read`);
    await api.must(404, 'POST', '/openapi/messages/x/read');
    const gone = await say(await group(), 'x');
    await api.must(204, 'DELETE', `/openapi/messages/${gone.id}`);
    await api.must(404, 'POST', `/openapi/messages/${gone.id}/read`);
  });

  it('repeats its response for one Idempotency-Key', async () => {
    const { id } = await say(await group(), 'x');
    const headers = { 'idempotency-key': `read ${id}` };
    const first = await api.post(`/openapi/messages/${id}/read`, undefined, { headers });
    const again = await api.post(`/openapi/messages/${id}/read`, undefined, { headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });
});

describe('reacting to a message', () => {
  it('shows emoji, count and users, has no effect when repeated, and can be undone', async () => {
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

  it('ignores variation selectors, and keeps every kind of emoji distinct', async () => {
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

  it('accepts at most 20 different emoji', async () => {
    const { id } = await say(await group(), 'x');
    for (let n = 0; n < 20; n += 1) await api.must(200, 'PUT', emoji(id, `:e${n}:`));
    const refused = await api.send('PUT', emoji(id, '👍'));
    expect([reasonOf(refused), (refused.body.details as Json).limit]).toEqual(['limit_reached', 20]);
    await api.must(200, 'PUT', emoji(id, ':e3:'));
  });

  it('is 404 for an unknown message, and works in version 2.0 as well', async () => {
    await api.must(404, 'PUT', emoji(NOBODY, '👍'));
    await api.must(404, 'DELETE', emoji(NOBODY, '👍'));
    const { id } = await say(await group(), 'x');
    const shown = await api.must(200, 'PUT', `/v2${emoji(id, '🎉')}`);
    expect(shown).toMatchObject({ reactions: [{ emoji: '🎉' }], content: { text: 'x' } });
  });

  it('reaches the platform copy, and is removed there', async () => {
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
