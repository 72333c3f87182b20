import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let live: ApiClient;
let api: ApiClient;

const open = (address: string, text = 'Hello', status = 201) =>
  api.must(status, 'POST', '/openapi/conversations', {
    recipient: { platform: 'sandbox', address },
    message: { text },
  });
const firstOf = async ({ last_message }: Json) =>
  api.must(200, 'GET', `/openapi/messages/${(last_message as Json).id}`);
const inbound = (body: Json) => api.post('/openapi/sandbox/inbound', body);

/** Sends to an address and waits until the message is in a state. */
async function outcome(
  address: string,
  status: string,
  answer = 201,
): Promise<{ message: Json; delivery: Json }> {
  const conversation = await open(address, 'Hello', answer);
  const message = await eventually(
    () => firstOf(conversation),
    (one) => one.status === status,
  );
  return { message, delivery: (message.deliveries as Json[])[0] ?? {} };
}

beforeAll(async () => {
  service = await shareService();
  live = service.client();
  const key = await service.createKey({ test: true });
  expect(key).toMatch(/^tl_test_[0-9A-Za-z]{49}$/);
  api = service.client(key);
});

describe('the test workspace', () => {
  it('has one platform with one connection that always exists', async () => {
    const connected = await eventually(
      () => api.must(200, 'GET', '/openapi/platforms/sandbox'),
      ({ status }) => status === 'connected',
    );
    expect(connected.connections).toMatchObject([
      { platform: 'sandbox', status: 'connected', health: { code: 'ok' } },
    ]);
    for (const path of ['/openapi/platforms', '/openapi/protocols']) {
      expect((await api.must<{ data: Json[] }>(200, 'GET', path)).data).toMatchObject([{ id: 'sandbox' }]);
      for (const id of ['telegram', 'slack']) await api.must(404, 'GET', `${path}/${id}`);
      await live.must(404, 'GET', `${path}/sandbox`);
    }
  });

  it('refuses to create, change or delete connections', async () => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    const body = { name: 'x', credentials: {} };
    for (const platform of ['sandbox', 'telegram']) {
      expect(reasonOf(await api.post(`/openapi/platforms/${platform}/connections`, body))).toBe('test_mode');
    }
    const path = `/openapi/platforms/connections/${data[0]?.id}`;
    expect(reasonOf(await api.patch(path, { name: 'x' }))).toBe('test_mode');
    expect(reasonOf(await api.delete(path))).toBe('test_mode');
    const nobodys = '/openapi/platforms/connections/019b76da-a800-7000-8000-000000000001';
    await api.must(404, 'PATCH', nobodys, { name: 'x' });
    await api.must(404, 'DELETE', nobodys);
    expect(await api.must(200, 'POST', `${path}/test`)).toMatchObject({ ok: true });
  });

  it('is separate from the live workspace in both directions', async () => {
    const user = await live.must(201, 'POST', '/openapi/users', { display_name: 'Live' });
    const conversation = await live.must(201, 'POST', '/openapi/conversations', {
      participant_ids: [user.id],
      message: { text: 'live' },
    });
    const test = await open('sent+private');
    expect(test.number).toBe(1);
    const records: [string, unknown][] = [
      ['users', user.id],
      ['conversations', conversation.id],
      ['messages', (conversation.last_message as Json).id],
    ];
    for (const [name, id] of records) {
      await api.must(404, 'GET', `/openapi/${name}/${id}`);
      const { data } = await api.must<{ data: Json[] }>(200, 'GET', `/openapi/${name}?limit=100`);
      expect(data.map((one) => one.id)).not.toContain(id);
    }
    await live.must(404, 'GET', `/openapi/conversations/${test.id}`);
    expect((await live.must<{ meta: Json }>(200, 'GET', '/openapi/conversations')).meta).toMatchObject({
      total_items: 1,
    });
    const body = { conversation_id: conversation.id, text: 'x' };
    expect((await api.post('/openapi/messages', body)).body.details).toEqual({ field: 'conversation_id' });
    expect((await api.post('/openapi/conversations', { participant_ids: [user.id] })).body.details).toEqual({
      field: 'participant_ids',
    });
    const me = await Promise.all([api, live].map((client) => client.must(200, 'GET', '/openapi/users/me')));
    expect(me[0]?.id).not.toBe(me[1]?.id);
    expect(me[0]?.username).toBe(me[1]?.username);
  });
});

describe('the outcome of a test message depends on its address', () => {
  it.each<[string, string, Json]>([
    ['deliver', 'read', { status: 'read', attempt_count: 1, error: null, resolution: null }],
    ['deliver+42', 'read', { status: 'read' }],
    ['somebody', 'read', { status: 'read' }],
    [
      'fail',
      'failed',
      {
        status: 'failed',
        attempt_count: 1,
        error: { code: 'content_rejected', permanent: true },
        parts: [{ index: 0, kind: 'text', status: 'failed', external_id: null, sent_at: null }],
      },
    ],
    [
      'gone',
      'failed',
      { status: 'failed', attempt_count: 1, error: { code: 'recipient_gone', permanent: true } },
    ],
    ['block', 'blocked', { status: 'blocked', error: { code: 'blocked_by_recipient', permanent: true } }],
    ['late', 'failed', { status: 'failed', sent_at: expect.any(String), error: { code: 'platform_error' } }],
    ['flaky', 'read', { status: 'read', attempt_count: 2 }],
    ['ratelimit', 'sent', { status: 'sent', error: null }],
    ['uncertain', 'sent', { status: 'sent', resolution: 'reconciled', uncertain_at: expect.any(String) }],
    ['unknown', 'uncertain', { status: 'uncertain', resolution: null, parts: [{ status: 'uncertain' }] }],
  ])('%s: %s', async (address, status, expected) => {
    const { message, delivery } = await outcome(address, status);
    expect(delivery).toMatchObject({ platform: 'sandbox', external_chat_id: address, ...expected });
    expect(message).toMatchObject({ direction: 'outbound', platform: 'sandbox' });
    expect(message.error).toEqual(status === 'uncertain' ? null : delivery.error);
  });

  it.each([
    ['gone+again', 'failed', 'recipient_gone'],
    ['block+again', 'blocked', 'blocked_by_recipient'],
  ])('%s: %s for every attempt', async (address, status, code) => {
    const first = await outcome(address, status);
    const second = await outcome(address, status, 200);
    expect(second.message.id).not.toBe(first.message.id);
    expect(second.message.conversation_id).toBe(first.message.conversation_id);
    for (const { delivery } of [first, second]) expect(delivery).toMatchObject({ status, error: { code } });
  });

  it('sent: no receipt follows', async () => {
    const { message } = await outcome('sent', 'sent');
    // A receipt of another address that certainly arrives later than one of this address would.
    await outcome('deliver+later', 'read');
    expect(await api.must(200, 'GET', `/openapi/messages/${message.id}`)).toMatchObject({
      status: 'sent',
      delivered_at: null,
    });
  });

  it('delivered comes before read, each at its time', async () => {
    const { delivery } = await outcome('deliver+times', 'read');
    const [sent = 0, delivered = 0, read = 0] = ['sent_at', 'delivered_at', 'read_at'].map((name) =>
      Date.parse(String(delivery[name])),
    );
    expect(delivered - sent).toBeGreaterThan(100);
    expect(delivered - sent).toBeLessThan(1_200);
    expect(read).toBeGreaterThan(delivered);
  });

  it('echo: the same text is received in the same conversation', async () => {
    const conversation = await open('echo', 'Is anybody there?');
    const { data } = await eventually(
      () =>
        api.must<{ data: Json[] }>(
          200,
          'GET',
          `/openapi/messages?conversation_id=${conversation.number}&filter=direction:inbound`,
        ),
      (list) => list.data.length > 0,
    );
    expect(data).toMatchObject([
      {
        text: 'Is anybody there?',
        status: 'received',
        platform: 'sandbox',
        origin: { external_sender_id: 'echo' },
      },
    ]);
  });

  it('stop: the next message is blocked as opted out, and START allows messages again', async () => {
    const conversation = await open('stop+1');
    const contact = (conversation.participants as Json[]).find(({ role }) => role === 'customer')?.user_id;
    await eventually(
      () => api.must(200, 'GET', `/openapi/users/${contact}`),
      ({ consent }) => (consent as Json).marketing === 'denied',
    );
    const send = (category: string) =>
      api.must(201, 'POST', '/openapi/messages', { conversation_id: conversation.id, text: 'x', category });
    for (const category of ['conversational', 'transactional', 'marketing']) {
      const blocked = await send(category);
      expect(blocked).toMatchObject({ status: 'blocked', error: { code: 'opted_out' } });
      expect(blocked.deliveries).toMatchObject([{ status: 'blocked', error: { code: 'opted_out' } }]);
    }
    expect((await inbound({ address: 'stop+1', text: 'start' })).status).toBe(201);
    expect(await api.must(200, 'GET', `/openapi/users/${contact}`)).toMatchObject({
      consent: { marketing: 'granted', notification: 'granted' },
    });
    expect((await send('marketing')).status).toBe('queued');
  });

  it('start: consent is granted', async () => {
    const conversation = await open('start+1');
    const contact = (conversation.participants as Json[]).find(({ role }) => role === 'customer')?.user_id;
    await eventually(
      () => api.must(200, 'GET', `/openapi/users/${contact}`),
      ({ consent }) => (consent as Json).marketing === 'granted',
    );
  });

  it('a message in a group shows each reader by the chat that it was sent to', async () => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    const people = await Promise.all(
      ['deliver+g1', 'deliver+g2'].map((external_id) =>
        api.must(201, 'POST', '/openapi/users', {
          display_name: external_id,
          identities: [{ platform: 'sandbox', external_id }],
        }),
      ),
    );
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      participant_ids: people.map(({ id }) => id),
      links: ['deliver+g1', 'deliver+g2'].map((external_id) => ({ connection_id: data[0]?.id, external_id })),
      message: { text: 'Hi' },
    });
    const message = await eventually(
      () => firstOf(conversation),
      ({ status }) => status === 'read',
    );
    const readers = (message.read_by as Json[]).map(({ user_id, platform }) => [user_id, platform]);
    expect(readers.sort()).toEqual(people.map(({ id }) => [id, 'sandbox']).sort());
  });

  it.each([
    ['location', { type: 'location', latitude: 1, longitude: 2 }],
    ['contact', { type: 'contact', metadata: { name: 'Ann', phone: '+14155550100' } }],
  ])('names the kind of a part: %s', async (kind, attachment) => {
    const conversation = await open(`sent+${kind}`);
    const { id } = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.id,
      text: '',
      attachments: [attachment],
    });
    const message = await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${id}`),
      ({ status }) => status === 'sent',
    );
    expect((message.deliveries as Json[])[0]?.parts).toMatchObject([{ index: 0, kind }]);
  });

  it('applies to links as well: one message goes to each linked address', async () => {
    const { data } = await api.must<{ data: Json[] }>(200, 'GET', '/openapi/platforms/connections');
    const links = ['sent+l1', 'fail+l2'].map((external_id) => ({ connection_id: data[0]?.id, external_id }));
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      links,
      message: { text: 'Hi' },
    });
    const message = await eventually(
      () => firstOf(conversation),
      ({ status }) => status === 'failed',
    );
    expect((message.deliveries as Json[]).map(({ status }) => status)).toEqual(['sent', 'failed']);
    expect(message).toMatchObject({ platform: null, error: { code: 'content_rejected' } });
  });
});
