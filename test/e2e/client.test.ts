import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StreamOptions, Trunkline } from '../../src/client/index.js';
import { eventually } from '../support/api-client.js';
import { ExampleFolder, readExamples } from '../support/examples.js';
import { freePort } from '../support/free-port.js';
import { type Service, startService } from '../support/service.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const UNKNOWN = '019b76da-a800-7000-8000-000000000000';

let service: Service;
let client: Trunkline;
let folder: ExampleFolder;

beforeAll(async () => {
  service = await startService();
  client = new Trunkline({ baseUrl: service.url, apiKey: service.key });
  folder = await ExampleFolder.create();
});
afterAll(async () => {
  await folder?.remove();
  await service?.stop();
});

const conversation = () => client.conversations.create({ participant_ids: [], title: 'Client' });

describe('the examples of docs/client.md', () => {
  const examples = readExamples('docs/client.md');
  const printing = examples.filter(({ prints }) => prints !== undefined);
  const named = (title: string) => examples.find((example) => example.title === title)!;

  it('are all run here', () => {
    const others = examples.filter((example) => !printing.includes(example)).map(({ title }) => title);
    expect(printing.length).toBeGreaterThan(5);
    expect(others).toEqual(['Receive webhooks', 'Follow events']);
  });

  it.each(printing)('print their documented output: $title', async (example) => {
    const program = await start(example);
    const [code] = await once(program, 'close');
    expect([code, program.lines]).toEqual([0, example.prints?.trimEnd().split('\n')]);
  });

  it('receive webhooks', async () => {
    const port = await freePort();
    const program = await start(named('Receive webhooks'), {
      PORT: String(port),
      TRUNKLINE_WEBHOOK_SECRET: SECRET,
    });
    await program.said('Waiting for events.');
    const url = `http://127.0.0.1:${port}/hook`;
    const hook = await client.webhooks.create({ url, events: ['message.created'], secret: SECRET });
    expect(await client.webhooks.test(hook.id)).toMatchObject({ status: 'succeeded' });
    await client.messages.send({ conversation_id: (await conversation()).id, text: 'Hooked' });
    await program.said('owner wrote Hooked');
    const forged = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'X-Service-Signature': 't=1,v1=00' },
    });
    expect(forged.status).toBe(400);
    await client.webhooks.delete(hook.id);
    program.kill();
  });

  it('follow events', async () => {
    const program = await start(named('Follow events'));
    const { id } = await conversation();
    // The stream shows only what happens after it opened.
    const say = () => client.messages.send({ conversation_id: id, text: 'Streamed' });
    await eventually(say, () => program.lines.includes('owner wrote Streamed'));
    program.kill();
  });

  type Program = ChildProcess & { lines: string[]; said(line: string): Promise<void> };

  async function start(
    example: (typeof examples)[number],
    env: Record<string, string> = {},
  ): Promise<Program> {
    const file = await folder.put(example);
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, TRUNKLINE_URL: service.url, TRUNKLINE_API_KEY: service.key, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const waiting = new Map<string, () => void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      waiting.get(line)?.();
    });
    const said = (line: string) =>
      new Promise<void>((resolve) => (lines.includes(line) ? resolve() : waiting.set(line, resolve)));
    return Object.assign(child, { lines, said });
  }
});

describe('the client library', () => {
  it('sends, reads, changes and deletes messages', async () => {
    const { id, number } = await conversation();
    const message = await client.messages.create({ conversation_id: number, text: 'one' });
    expect(message).toMatchObject({
      conversation_id: id,
      conversation_number: number,
      text: 'one',
      revision: 1,
    });
    expect(await client.messages.update(message.id, { text: 'two' })).toMatchObject({
      text: 'two',
      revision: 2,
    });
    expect((await client.conversations.get(number)).last_message).toMatchObject({ text: 'two' });
    await client.messages.delete(message.id);
    await expect(client.messages.get(message.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    const { data } = await client.conversations.participants.list(id).page();
    expect(data).toMatchObject([{ role: 'owner' }]);
    expect(await client.users.me()).toMatchObject({ id: data[0]?.user_id });
    expect(await client.status()).toMatchObject({ version: '1.0' });
  });

  it('reacts and marks as read, and removes a reaction once', async () => {
    const { id } = await client.messages.send({ conversation_id: (await conversation()).id, text: 'x' });
    expect((await client.messages.react(id, '👍')).reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
    expect((await client.messages.read(id)).read_by).toHaveLength(1);
    await client.messages.unreact(id, '👍');
    await expect(client.messages.unreact(id, '👍')).rejects.toMatchObject({ status: 404 });
    await expect(client.messages.retry(id)).rejects.toMatchObject({ reason: 'nothing_to_retry' });
  });

  it('follows events, and resumes after the last one', async () => {
    const { id } = await conversation();
    const say = (text: string) => client.messages.send({ conversation_id: id, text });
    /** Texts and ids of the events up to the expected one. */
    const follow = async (isLast: (text: string) => boolean, options: StreamOptions = {}) => {
      const seen: { id: string; text: string }[] = [];
      for await (const event of client.events.stream({ events: ['message.created'], ...options })) {
        if (event.event === 'stream.gap') throw new Error('No event is missing.');
        if (event.event !== 'message.created' || event.data.conversation_id !== id) continue;
        seen.push({ id: event.id, text: event.data.text });
        if (isLast(event.data.text)) break;
      }
      return seen;
    };
    let last: { id: string } | undefined;
    const left = follow(() => true).then(([first]) => {
      last = first;
    });
    // The stream shows only what happens after it opened.
    await eventually(
      () => say('hello'),
      () => last !== undefined,
    );
    await left;
    await say('one');
    await say('two');
    const missed = await follow((text) => text === 'two', { lastEventId: last?.id ?? '' });
    expect(missed.map(({ text }) => text).filter((text) => text !== 'hello')).toEqual(['one', 'two']);
    expect(missed.map((event) => event.id)).not.toContain(last?.id);
  });

  it('sends a file', async () => {
    const { username } = await client.users.create({ display_name: 'Ada' });
    const { data } = await client.users.list({ filter: `username:${username}` }).page();
    const file = new Blob([`user_id\n${data[0]?.id}\n`], { type: 'text/csv' });
    const segment = await client.segments.create({ name: 'From a file', file });
    expect(segment).toMatchObject({ name: 'From a file', kind: 'static', size: 1 });
  });

  it('previews a broadcast without storing it', async () => {
    const { id } = await client.users.me();
    const preview = await client.broadcasts.preview({ text: 'Hello', audience: { user_ids: [id] } });
    expect(preview).toMatchObject({ skips: expect.any(Object), samples: expect.any(Array) });
    expect((await client.broadcasts.list().page()).data).toEqual([]);
  });

  it('repeats the older field names of a request, as version 1.0 does', async () => {
    const { number } = await conversation();
    const message = await client.messages.send({ conversationId: number, content: 'Hi' });
    expect(message).toMatchObject({ content: 'Hi', text: 'Hi', conversation_number: number });
    const both = client.messages.send({ conversation_id: number, text: 'a', content: 'b' });
    await expect(both).rejects.toMatchObject({ details: { fields: [{ code: 'exclusive' }] } });
  });

  it('reads a list page by page, and filters it', async () => {
    const { id } = await conversation();
    for (const text of ['1', '2', '3', '4', '5']) await client.messages.send({ conversation_id: id, text });
    const texts: string[] = [];
    const list = client.messages.list({ conversation_id: id, order: 'asc', limit: 2 });
    for await (const { text } of list) texts.push(text);
    expect(texts).toEqual(['1', '2', '3', '4', '5']);
    const page = await list.page({ page: 2 });
    expect([page.data.map(({ text }) => text), page.meta?.total_pages]).toEqual([['3', '4'], 3]);
    const filtered = await client.messages.list({ filter: [`conversation_id:${id}`, 'text:4'] }).page();
    expect(filtered.data).toHaveLength(1);
  });

  it('sends a message once even if its response is lost', async () => {
    const { id } = await conversation();
    let lost = 0;
    const lossy = new Trunkline({
      baseUrl: service.url,
      apiKey: service.key,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (init?.method !== 'POST' || lost > 1) return response;
        lost += 1;
        throw new TypeError('fetch failed');
      },
    });
    const message = await lossy.messages.send({ conversation_id: id, text: 'once' });
    const { data } = await client.messages.list({ conversation_id: id }).page();
    expect([lost, data.map((each) => each.id)]).toEqual([2, [message.id]]);
  });

  it('reports refusals of the service with the request id', async () => {
    const limited = new Trunkline({
      baseUrl: service.url,
      apiKey: await service.createKey({ scopes: 'messages:read' }),
    });
    await expect(limited.messages.send({ conversation_id: 1, text: 'x' })).rejects.toMatchObject({
      status: 403,
      code: 'access_denied',
      details: { required: ['messages:write'], provided: ['messages:read'] },
      requestId: expect.stringMatching(/./),
    });
    const nobody = new Trunkline({ baseUrl: service.url });
    await expect(nobody.messages.get(UNKNOWN)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    await expect(client.conversations.update(1, { status: 'snoozed' })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('reports an exhausted hourly limit without waiting for the next hour', async () => {
    const apiKey = await service.createKey({ rateLimit: 1 });
    const scarce = new Trunkline({ baseUrl: service.url, apiKey, retries: 0 });
    // A new hour may begin in between, at most once.
    const calls = async () => {
      for (let count = 0; count < 4; count += 1) await scarce.status();
    };
    const error = await calls().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfter: expect.any(Number) });
  });

  it('supports version 2.0', async () => {
    const beta = new Trunkline({ baseUrl: service.url, apiKey: service.key, version: '2.0' });
    const { id } = await conversation();
    const sent = await beta.messages.send({ conversation_id: id, text: 'one\ntwo' });
    expect(sent.content.blocks).toHaveLength(2);
    for await (const message of beta.messages.list({ filter: `id:${sent.id}` })) {
      expect(message.delivery.status).toBe('sent');
    }
    const expanded = await beta.messages.get(sent.id, { query: { expand: 'conversation' } });
    expect(expanded).toMatchObject({ conversation: { id } });
  });
});
