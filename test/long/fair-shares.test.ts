import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TelegramSimulator } from '../../adapters/telegram/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { ownerBrowser } from '../support/browser.js';
import { png } from '../support/files.js';
import { KeyMaker } from '../support/keys.js';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const NEIGHBOUR = { email: 'neighbour@example.test', password: 'password of the neighbour' };
const TRICKLE_MS = 200;
/** More than the calls for typing that run at once. */
const TYPING = 120;

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
const platform = new TelegramSimulator({ limits: 'none' });

beforeAll(async () => {
  server = await listenOnLoopback(
    createServer((request, response) => {
      const [, kind = ''] = (request.url ?? '').split('/');
      if (kind === 'translate') return void translate(request, response);
      if (kind === 'telegram' && !request.url?.endsWith('/sendChatAction'))
        return void passOn(request, response);
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
  await platform.start();
  service = await startService({ env: { TRANSLATE_URL: server.url } });
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
  await platform.stop();
});

/** Sends a file that never ends, byte by byte. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' });
  const timer = setInterval(() => response.write('x'), TRICKLE_MS);
  response.on('close', () => clearInterval(timer));
}

/** Translates at once, except texts of the greedy workspace. */
async function translate(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { q } = JSON.parse((await buffer(request)).toString()) as { readonly q: string };
  if (!q.startsWith('slow')) return void response.end(JSON.stringify({ translatedText: q }));
  const held = open.get('translate') ?? new Set();
  open.set('translate', held.add(response));
  response.on('close', () => held.delete(response));
}

/** Passes a request on to the simulated Telegram. */
async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { api_base_url: real } = platform.account().settings as { api_base_url: string };
  const { 'content-type': type = 'application/json' } = request.headers;
  const body = await buffer(request);
  const stop = new AbortController();
  response.on('close', () => stop.abort());
  const answer = await fetch(new URL(String(request.url?.slice('/telegram'.length)), real), {
    method: request.method ?? 'GET',
    headers: { 'content-type': type },
    ...(body.length === 0 ? {} : { body }),
    signal: stop.signal,
  }).catch(() => undefined);
  response.writeHead(answer?.status ?? 502, { 'content-type': 'application/json' });
  response.end(await answer?.text());
}

/** Connects Telegram. Resolves with the id of the connection. */
async function telegram(api: ApiClient, settings: Json = {}): Promise<string> {
  const account = platform.account();
  const { id } = await api.must<Json>(201, 'POST', '/openapi/platforms/telegram/connections', {
    name: 'Telegram',
    ...account,
    settings: { ...(account.settings as Json), ...settings },
  });
  await eventually(
    () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${id}`),
    ({ status }) => status === 'connected',
  );
  return String(id);
}

const chatWith = (api: ApiClient, connection: string, person: number) =>
  api.must<Json>(201, 'POST', '/openapi/conversations', {
    links: [{ connection_id: connection, external_id: platform.address(person) }],
  });

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

  it('show reactions and typing while the platform of another one does not answer', async () => {
    // Telegram accepts one poller per bot.
    const mine = await telegram(neighbour);
    const theirs = await telegram(greedy, { api_base_url: `${server.url}telegram`, ingress: 'webhook' });
    const chats: Json[] = [];
    for (let person = 0; person < TYPING; person += 1)
      chats.push(await chatWith(greedy, theirs, 10 + person));
    for (const { id } of chats)
      await greedy.must(200, 'POST', `/openapi/conversations/${id}/typing`, { state: 'started' });
    await eventually(
      async () => held('telegram'),
      (count) => count >= 20,
    );
    const conversation = await chatWith(neighbour, mine, 1);
    const { id } = await say(neighbour, conversation);
    const sent = await eventually(
      () => neighbour.must<Json & { deliveries: Json[] }>(200, 'GET', `/openapi/messages/${id}`),
      ({ status }) => status === 'sent',
    );
    const [copy] = (sent.deliveries[0]?.parts ?? []) as Json[];
    await neighbour.must(200, 'PUT', `/openapi/messages/${id}/reactions/${encodeURIComponent('👍')}`);
    await neighbour.must(200, 'POST', `/openapi/conversations/${conversation.id}/typing`, {
      state: 'started',
    });
    await eventually(
      async () => [
        platform.reactionOn(platform.address(1), String(copy?.external_id)),
        platform.isTyping(platform.address(1)),
      ],
      ([reaction, typing]) => reaction === '👍' && typing === true,
    );
    expect(givenUp).toBe(0);
  });

  it('translate while many texts of another one are slow', async () => {
    const texts = Array.from({ length: 60 }, (_, text) => `slow ${text}`);
    const slow = texts.map((text) =>
      fetch(`${service.url}/v1/openapi/translations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': service.key },
        body: JSON.stringify({ text, target_language: 'de' }),
      }).then(({ status }) => status),
    );
    await eventually(
      async () => held('translate'),
      (count) => count >= 20,
    );
    const body = { text: 'Bonjour', target_language: 'de' };
    const made = await neighbour.must<Json>(200, 'POST', '/openapi/translations', body);
    expect(made.text).toBe('Bonjour');
    // The maximum for a single workspace.
    expect(held('translate')).toBeLessThanOrEqual(22);
    for (const response of open.get('translate') ?? []) response.destroy();
    // A text without a place in time is refused, and its client repeats it.
    for (const status of await Promise.all(slow)) expect(status).toBe(503);
  });
});
