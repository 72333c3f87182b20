import { createServer, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { ownerBrowser } from '../support/browser.js';
import { KeyMaker } from '../support/keys.js';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const NEIGHBOUR = { email: 'neighbour@example.test', password: 'password of the neighbour' };
const RECIPIENTS = 2_000;

type Way = 'hang' | 'lose';

let service: Service;
/** The workspace whose platform does not answer. */
let greedy: ApiClient;
let neighbour: ApiClient;
let front: LoopbackServer;
const platform = new TwilioSimulator({ limits: 'none' });
/** Requests without a response yet. */
const held = new Set<ServerResponse>();
/** How the front treats a message: it never answers, or it closes the connection. Later lookups get no answer. */
let way: Way = 'hang';
let broken = 0;

beforeAll(async () => {
  await platform.start();
  const { api_base_url: real } = platform.account().settings as { api_base_url: string };
  front = await listenOnLoopback(
    createServer(async (request, response) => {
      const { method = 'GET', url = '', headers } = request;
      if (!url.includes('/Messages')) {
        const answer = await fetch(new URL(url, real), {
          headers: { authorization: headers.authorization ?? '' },
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      } else if (method === 'POST' && way === 'lose') {
        broken += 1;
        request.resume().on('end', () => response.destroy());
      } else {
        held.add(response);
        response.on('close', () => held.delete(response));
      }
    }),
  );
  service = await startService();
  const operator = await ownerBrowser(service);
  await operator.must(201, 'POST', '/workspaces', {
    name: 'Next door',
    owner_email: NEIGHBOUR.email,
    owner_password: NEIGHBOUR.password,
  });
  greedy = service.client();
  neighbour = service.client(await new KeyMaker(service.url, NEIGHBOUR).make());
  await connect(neighbour, {});
  await connect(greedy, { api_base_url: front.url.slice(0, -1) });
});
afterEach(() => {
  for (const response of held) response.destroy();
});
afterAll(async () => {
  await service?.stop();
  await front?.close();
  await platform.stop();
});

async function connect(api: ApiClient, settings: Json): Promise<void> {
  const account = platform.account();
  const { id } = await api.must<Json>(201, 'POST', '/openapi/platforms/sms/connections', {
    name: 'SMS',
    ...account,
    settings: { ...(account.settings as Json), ...settings },
  });
  await eventually(
    () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${id}`),
    ({ status }) => status === 'active' || status === 'connected',
  );
}

const numbers = (count: number, from: number) =>
  Array.from({ length: count }, (_, at) => ({ platform: 'sms', address: platform.address(from + at) }));

const broadcast = (api: ApiClient, recipients: readonly Json[]) =>
  api.must<Json>(201, 'POST', '/openapi/broadcasts', { text: 'Hello', audience: { recipients } });

const send = (api: ApiClient, to: Json) =>
  api.must<Json>(201, 'POST', '/openapi/messages', { to, text: 'Hello' });

const until = (api: ApiClient, path: string, ...statuses: string[]) =>
  eventually(
    () => api.must<Json>(200, 'GET', path),
    ({ status }) => statuses.includes(String(status)),
  );

describe('a workspace next to one whose platform hangs', () => {
  it('sends messages while the lookups of the other workspace receive no response', async () => {
    way = 'lose';
    const lost: Json[] = [];
    for (const to of numbers(30, 50_000)) lost.push(await send(greedy, to));
    await eventually(
      async () => broken > 0 && held.size > 0,
      (both) => both,
    );
    const messages = await Promise.all(numbers(5, 300).map((to) => send(neighbour, to)));
    for (const { id } of messages) await until(neighbour, `/openapi/messages/${id}`, 'sent', 'delivered');
    for (const { id } of lost) {
      const { status } = await greedy.must<Json>(200, 'GET', `/openapi/messages/${id}`);
      expect(['queued', 'sending', 'uncertain']).toContain(status);
    }
  });

  it('sends messages and broadcasts while a large broadcast of the other workspace hangs', async () => {
    way = 'hang';
    const large = await broadcast(greedy, numbers(RECIPIENTS, 10_000));
    await eventually(
      async () => held.size,
      (count) => count > 0,
    );
    const small = await broadcast(neighbour, numbers(5, 100));
    const message = await send(neighbour, numbers(1, 200)[0] as Json);
    await until(neighbour, `/openapi/messages/${message.id}`, 'sent', 'delivered');
    await until(neighbour, `/openapi/broadcasts/${small.id}`, 'completed');
    expect(held.size).toBeGreaterThan(0);
    const left = await greedy.must<Json>(200, 'GET', `/openapi/broadcasts/${large.id}`);
    expect(['preparing', 'sending', 'running']).toContain(left.status);
  });
});
