import { createServer, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { ownerBrowser } from '../support/browser.js';
import { png } from '../support/files.js';
import { KeyMaker } from '../support/keys.js';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const NEIGHBOUR = { email: 'neighbour@example.test', password: 'password of the neighbour' };
const TRICKLE_MS = 200;

let service: Service;
/** The workspace whose servers do not respond. */
let greedy: ApiClient;
let neighbour: ApiClient;
let server: LoopbackServer;
/** Responses that are held open, by the first part of their path. */
const open = new Map<string, Set<ServerResponse>>();
/** How many of them the service aborted. */
let givenUp = 0;
const arrived: string[] = [];

beforeAll(async () => {
  server = await listenOnLoopback(
    createServer((request, response) => {
      const [, kind = ''] = (request.url ?? '').split('/');
      request.resume();
      arrived.push(kind);
      if (kind === 'picture') return void response.setHeader('content-type', 'image/png').end(png(4, 4));
      if (kind === 'quick') return void response.end();
      const held = open.get(kind) ?? new Set();
      open.set(kind, held.add(response));
      response.on('close', () => {
        givenUp += held.delete(response) ? 1 : 0;
      });
      if (kind === 'trickle') trickle(response);
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
});
afterEach(() => {
  const left = [...open.values()].flatMap((responses) => [...responses]);
  // Responses that the test itself ends do not count as aborted by the service.
  for (const responses of open.values()) responses.clear();
  for (const response of left) response.destroy();
  open.clear();
  givenUp = 0;
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
});

/** Sends a file that never ends, byte by byte. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' });
  const timer = setInterval(() => response.write('x'), TRICKLE_MS);
  response.on('close', () => clearInterval(timer));
}

const conversationOf = (api: ApiClient) =>
  api.must<Json>(201, 'POST', '/openapi/conversations', { type: 'group', participant_ids: [] });

const say = (api: ApiClient, conversation: Json, urls: readonly string[] = []) =>
  api.must<Json>(201, 'POST', '/openapi/messages', {
    conversation_id: conversation.id,
    text: 'x',
    attachments: urls.map((url) => ({ type: 'image', url: `${server.url}${url}` })),
  });

const held = (kind: string) => open.get(kind)?.size ?? 0;

describe('workspaces that share a service', () => {
  it('fetch their files while many files of another one are slow', async () => {
    const slow = await conversationOf(greedy);
    for (let message = 0; message < 10; message += 1)
      await say(
        greedy,
        slow,
        Array.from({ length: 10 }, (_, file) => `trickle/${message}-${file}.png`),
      );
    await eventually(
      async () => held('trickle'),
      (count) => count >= 40,
    );
    const message = await say(neighbour, await conversationOf(neighbour), ['picture/a.png']);
    const { attachments } = await eventually(
      () => neighbour.must<Json & { attachments: Json[] }>(200, 'GET', `/openapi/messages/${message.id}`),
      ({ attachments: [first] }) => first?.state === 'ready',
    );
    expect(attachments).toHaveLength(1);
    expect(givenUp).toBe(0);
    // The maximum for a single workspace.
    expect(held('trickle')).toBeLessThanOrEqual(43);
  });

  it('call their webhooks while many endpoints of another one hang at the same origin', async () => {
    const events = ['message.created'];
    for (let hook = 0; hook < 45; hook += 1)
      await greedy.must(201, 'POST', '/api/webhooks', { url: `${server.url}hang/${hook}`, events });
    await neighbour.must(201, 'POST', '/api/webhooks', { url: `${server.url}quick/1`, events });
    for (let each = 0; each < 3; each += 1) await say(greedy, await conversationOf(greedy));
    await eventually(
      async () => held('hang'),
      (count) => count >= 80,
    );
    const conversation = await conversationOf(neighbour);
    await say(neighbour, conversation);
    await eventually(
      async () => arrived,
      (all) => all.includes('quick'),
    );
    expect(givenUp).toBe(0);
    expect(held('hang')).toBeLessThanOrEqual(86);
  });
});
