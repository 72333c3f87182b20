import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { type ApiClient, eventually, type Json, reasonOf } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let connection: Json;
const telegram = new TelegramSimulator();

const read = (id: unknown) => api.must(200, 'GET', `/openapi/platforms/connections/${id}`);

beforeAll(async () => {
  await telegram.start();
  service = await shareService();
  api = service.client();
  connection = await api.must(201, 'POST', '/openapi/platforms/telegram/connections', {
    name: 'Bot',
    ...telegram.account(),
  });
});
afterAll(async () => {
  await telegram.stop();
});

describe('a connected account', () => {
  it('receives a message and sends a reply, and the connection counts both', async () => {
    const { id } = connection;
    const before = (await read(id)).counters as Record<string, number>;
    const chat = telegram.chats().find(({ kind }) => kind === 'direct');
    await telegram.post({ chatId: chat?.id ?? '', sender: chat?.title ?? 'Ann', text: 'Are you there?' });
    const inbound = await eventually(
      async () =>
        (await api.must<{ data: Json[] }>(200, 'GET', '/openapi/messages?filter=direction:inbound')).data[0],
      (message) => message !== undefined,
    );
    expect(inbound).toMatchObject({
      text: 'Are you there?',
      status: 'received',
      platform: 'telegram',
      deliveries: [],
      expires_at: null,
      sent_at: null,
      origin: { connection_id: id, external_id: expect.any(String), external_sender_id: expect.any(String) },
    });
    const conversation = await api.must(200, 'GET', `/openapi/conversations/${inbound?.conversation_id}`);
    expect(conversation).toMatchObject({ type: 'direct', platform: 'telegram', unread_count: 1 });
    const reply = await api.must(201, 'POST', '/openapi/messages', {
      conversation_id: conversation.number,
      text: 'Yes',
      reply_to_id: inbound?.id,
    });
    const sent = await eventually(
      () => api.must(200, 'GET', `/openapi/messages/${reply.id}`),
      ({ status }) => status === 'sent',
    );
    expect(sent.deliveries).toMatchObject([
      {
        status: 'sent',
        attempt_count: 1,
        revision: 1,
        error: null,
        parts: [{ index: 0, kind: 'text', status: 'sent', external_id: expect.any(String) }],
      },
    ]);
    const [delivery] = sent.deliveries as Json[];
    expect(await api.must(200, 'GET', `/openapi/deliveries/${delivery?.id}`)).toEqual(delivery);
    expect(telegram.messages(chat?.id ?? '').map(({ text }) => text)).toContain('Yes');

    await api.must(200, 'PATCH', `/openapi/messages/${reply.id}`, { text: 'Yes, I am' });
    await eventually(
      async () => telegram.messages(chat?.id ?? '').map(({ text }) => text),
      (texts) => texts.includes('Yes, I am'),
    );
    await api.must(204, 'DELETE', `/openapi/messages/${reply.id}`);
    await eventually(
      async () => telegram.messages(chat?.id ?? '').filter(({ own, deleted }) => own && !deleted),
      (own) => own.length === 0,
    );
    const after = (await read(id)).counters as Record<string, number>;
    expect(after.sent).toBe((before.sent ?? 0) + 1);
    expect(after.received).toBeGreaterThan(before.received ?? 0);

    const refused = await api.patch(`/openapi/messages/${inbound?.id}`, { text: 'changed' });
    expect([reasonOf(refused), (refused.body.details as Json).current]).toEqual([
      'invalid_state',
      'received',
    ]);
  });
});

describe('the status', () => {
  it('lists the dependencies of the service and each enabled connection', async () => {
    const status = await eventually(
      () => api.must(200, 'GET', '/openapi/status'),
      (one) => one.status === 'operational',
    );
    const names = (status.components as Json[]).map(({ name }) => String(name));
    expect(names).toEqual(['database', 'queue', 'webhooks', `platform:${connection.id}`]);
    expect(status).toMatchObject({
      status: 'operational',
      version: '1.0',
      uptime_seconds: expect.any(Number),
      build: { version: expect.any(String) },
      versions: [
        { version: '1.0', status: 'stable', path: '/v1', sunset_at: null },
        { version: '2.0', status: 'beta', path: '/v2', sunset_at: null },
      ],
    });
  });
});
