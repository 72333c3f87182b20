import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiscordSimulator } from '../../adapters/discord/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

/** Interactions that Discord posts to an application's endpoint, signed with its key. */

let service: SharedService;
let api: ApiClient;
let hook: string;
const simulator = new DiscordSimulator({ limits: 'none' });
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

const command = {
  id: '1100000000000000001',
  application_id: '1100000000000000002',
  token: 'lets anybody answer',
  type: 2,
  channel_id: '1100000000000000003',
  user: { id: '1100000000000000004', username: 'ada', global_name: 'Ada' },
  data: {
    id: '1100000000000000005',
    name: 'order',
    type: 1,
    options: [{ name: 'number', type: 4, value: 42 }],
  },
};

async function post(body: unknown, { seconds = 0, altered = false } = {}) {
  const timestamp = String(Math.floor(Date.now() / 1000) + seconds);
  const text = JSON.stringify(body);
  const signature = sign(null, Buffer.from(timestamp + text), privateKey).toString('hex');
  const answer = await fetch(hook, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-signature-timestamp': timestamp,
      'x-signature-ed25519': altered
        ? signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
        : signature,
    },
    body: text,
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

beforeAll(async () => {
  await simulator.start();
  service = await shareService();
  api = service.client();
  const { credentials, settings } = simulator.account();
  const connection = await api.must(201, 'POST', '/openapi/platforms/discord/connections', {
    name: 'bot',
    credentials: { ...credentials, public_key: hex },
    settings,
  });
  hook = `${service.url}/hooks/discord/${connection.id}`;
  await eventually(
    () => api.must(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
    ({ status }) => status === 'connected',
  );
});
afterAll(async () => {
  await simulator.stop();
});

describe('the endpoint for Discord interactions', () => {
  it('answers the ping with which Discord verifies it', async () => {
    expect(await post({ id: '1', application_id: '2', type: 1 })).toEqual({ status: 200, body: { type: 1 } });
  });

  it('receives a command once as a message of the person, and responds with an ephemeral note', async () => {
    const [first, again] = [await post(command), await post(command)];
    expect(first).toMatchObject({ status: 200, body: { type: 4, data: { flags: 64 } } });
    expect(again).toEqual(first);
    const { data } = await eventually(
      () => api.must<{ data: Json[] }>(200, 'GET', '/openapi/messages'),
      (list) => list.data.length > 0,
    );
    expect(data).toMatchObject([{ text: '/order number: 42', platform: 'discord', direction: 'inbound' }]);
  });

  it.each([
    ['signed by somebody else', { altered: true }],
    ['of long ago', { seconds: -301 }],
    ['of a time to come', { seconds: 310 }],
    ['without a time', { seconds: Number.NaN }],
  ])('refuses a request %s', async (_what, how) => {
    expect((await post({ id: '1', application_id: '2', type: 1 }, how)).status).toBe(401);
  });
});
