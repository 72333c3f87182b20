import { afterAll, beforeAll, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { TestStream } from '../support/event-stream.js';
import { loopbackReceiver } from '../support/loopback-receiver.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const discord = new DiscordSimulator();
let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  await discord.start();
  service = await shareService();
  api = service.client();
});
afterAll(() => discord.stop());

it('A gap is an event of the stream and of webhooks, and the connection shows it.', async () => {
  const receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['platform.gap'] });
  const stream = await TestStream.open(service.url, { key: service.key, query: '?events=platforms' });
  const { id } = await api.must(201, 'POST', '/openapi/platforms/discord/connections', {
    name: 'Discord with a gap',
    ...discord.account(),
  });
  const path = `/openapi/platforms/connections/${id}`;
  const [chat] = discord.chats();
  const hears = async (text: string) => {
    await discord.post({ chatId: chat?.id ?? '', sender: 'Ada', text });
    const heard = () => api.must<{ data: Json[] }>(200, 'GET', `/openapi/messages?filter=text:${text}`);
    await eventually(heard, ({ data }) => data.length > 0);
  };
  /** Only a session gets messages. */
  const hasSession = (count: number) =>
    expect.poll(() => discord.ledger.counts()['gateway.identify'] ?? 0).toBe(count);
  await hasSession(1);
  await hears('before-the-gap');
  await api.must(200, 'PATCH', path, { enabled: false });
  discord.forgetSessions();
  await api.must(200, 'PATCH', path, { enabled: true });
  await hasSession(2);
  await hears('after-the-gap');

  const gap = { since: expect.any(String), until: expect.any(String), reason: 'Invalid session' };
  const isGap = (frame: { readonly event: string | undefined }) => frame.event === 'platform.gap';
  await stream.event(isGap);
  expect(stream.problems).toEqual([]);
  expect(stream.events.filter(isGap).map(({ data }) => data?.data)).toMatchObject([{ id, gap }]);
  // The connection works again a moment after its first message.
  await expect
    .poll(() => api.must(200, 'GET', path))
    .toMatchObject({ gaps: [gap], health: { code: 'ok' }, status: 'connected' });
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    event: 'platform.gap',
    data: { id, platform: 'discord', gap },
  });
  stream.close();
  await api.must(204, 'DELETE', path);
  await receiver.close();
});
