import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

/** Nothing listens here, so every webhook fails. */
const NOWHERE = 'http://127.0.0.1:9/';
const simulator = new TwilioSimulator({ limits: 'none' });
const person = simulator.chats()[0]?.id ?? '';
let service: SharedService;
let api: ApiClient;
let connection: Json;
let conversation: Json;

const ready = () =>
  eventually(
    () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
    ({ health }) => (health as Json | undefined)?.message === 'Ready for webhooks from Twilio.',
  );
const texts = async () => {
  const path = `/openapi/messages?filter=conversation_id:${conversation.id}`;
  const { data } = await api.must<{ data: Json[] }>(200, 'GET', path);
  return data.map(({ text }) => text).sort();
};
const write = (text: string) => simulator.post({ chatId: person, sender: 'Ada', text });

beforeAll(async () => {
  await simulator.start();
  service = await shareService();
  api = service.client();
  connection = await api.must(201, 'POST', '/openapi/platforms/sms/connections', {
    name: 'number',
    ...simulator.account(),
  });
  await ready();
  const links = [{ connection_id: connection.id, external_id: person }];
  conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
});
afterAll(async () => {
  await simulator.stop();
});

describe('text messages', () => {
  it('whose webhooks failed are fetched at the next start of the connection, each once', async () => {
    simulator.setWebhook(String(connection.webhook_url));
    await write('told');
    await eventually(texts, (found) => found.length === 1);
    simulator.setWebhook(NOWHERE);
    await write('missed 1');
    await write('missed 2');
    await api.must(200, 'POST', `/openapi/platforms/connections/${connection.id}/reconnect`);
    await eventually(texts, (found) => found.length === 3);
    expect(await texts()).toEqual(['missed 1', 'missed 2', 'told']);
  });
});
