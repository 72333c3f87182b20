import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GuardedServer } from '../../support/guarded-server.js';

const server = new GuardedServer((request, response) => void answer(request, response));
const { guard } = server;
let origin: string;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (request.url === '/hangs') return;
  if (request.url === '/empty') return void response.writeHead(204).end();
  if (request.url === '/elsewhere') return void response.writeHead(302, { location: '/' }).end();
  if (request.url === '/cut') {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    return void setImmediate(() => response.destroy());
  }
  if (request.url === '/long') return void response.end('x'.repeat(3 * 1024 * 1024));
  if (request.url === '/endless') return void Readable.from(endless()).pipe(response);
  if (request.url === '/bare') return void response.writeHead(404).end('no length');
  if (request.url === '/broken') {
    response.writeHead(200).write('begun');
    return void setTimeout(() => response.destroy(), 5);
  }
  if (request.url === '/packed')
    return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
  const said = JSON.stringify({ method: request.method, type: request.headers['content-type'], body });
  const headers = { 'content-length': String(Buffer.byteLength(said)), 'x-two': ['a', 'b'] };
  response.writeHead(200, headers).end(said);
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536, 'x');
}

beforeAll(async () => {
  origin = await server.open();
});

afterAll(() => server.close());

type Sent = NonNullable<RequestInit>;

const post = (body: Sent['body'], headers?: Sent['headers']) =>
  guard.fetch(`${origin}/`, { method: 'post', body, ...(headers === undefined ? {} : { headers }) });

function formOfFiles(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['abc']), 'a.txt');
  return form;
}

describe('a request', () => {
  it.each([
    ['text', 'Grüße', { method: 'POST', type: 'text/plain;charset=UTF-8', body: 'Grüße' }],
    ['bytes', new TextEncoder().encode('abc'), { method: 'POST', body: 'abc' }],
    [
      'form fields',
      new URLSearchParams({ a: '1 2' }),
      { method: 'POST', type: 'application/x-www-form-urlencoded;charset=UTF-8', body: 'a=1+2' },
    ],
  ])('is the same as with fetch for %s', async (_what, body, expected) => {
    const ours = await post(body);
    expect(await ours.json()).toEqual(expected);
    const theirs = await fetch(`${origin}/`, { method: 'POST', body });
    expect(await theirs.json()).toEqual(expected);
  });

  it.each([
    ['a record', { 'Content-Type': 'application/json' }],
    ['Headers', new Headers({ 'Content-Type': 'application/json' })],
    ['pairs', [['Content-Type', 'application/json']] as [string, string][]],
  ])('accepts headers as %s', async (_what, headers) => {
    expect(await (await post('{}', headers)).json()).toMatchObject({ type: 'application/json' });
  });

  it('can contain a form with files', async () => {
    const said = (await (await post(formOfFiles())).json()) as { type: string; body: string };
    expect(said.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(said.body).toContain('filename="a.txt"');
  });
});

describe('the response', () => {
  it('is a Response that can be read once, by any method', async () => {
    const get = () => guard.fetch(`${origin}/`);
    const response = await get();
    expect(response).toBeInstanceOf(Response);
    expect([response.ok, response.status, response.headers.get('x-two')]).toEqual([true, 200, 'a, b']);
    expect(response.bodyUsed).toBe(false);
    const copy = response.clone();
    const text = await response.text();
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(await copy.text()).toBe(text);
    expect(Buffer.from(await (await get()).arrayBuffer()).toString()).toBe(text);
    expect(await (await (await get()).blob()).text()).toBe(text);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await get()).body ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  it('has no body if the status allows none', async () => {
    const response = await guard.fetch(`${origin}/empty`);
    expect([response.status, response.body, await response.text()]).toEqual([204, null, '']);
  });

  it('is complete when it is long', async () => {
    const response = await guard.fetch(`${origin}/long`);
    expect((await response.text()).length).toBe(3 * 1024 * 1024);
  });

  it.each(['bare', 'long', 'packed', 'broken'])(
    'can be cancelled unread without a later error: %s',
    async (path) => {
      const defects: unknown[] = [];
      const note = (error: unknown) => void defects.push(error);
      process.on('uncaughtExceptionMonitor', note);
      for (let n = 0; n < 5; n += 1) await (await guard.fetch(`${origin}/${path}`)).body?.cancel();
      // A late end has happened once each of these connections can be reused.
      await Promise.all(Array.from({ length: 5 }, async () => (await guard.fetch(`${origin}/bare`)).text()));
      await new Promise((resolve) => setTimeout(resolve, 20));
      process.off('uncaughtExceptionMonitor', note);
      expect(defects).toEqual([]);
    },
  );

  it('rejects the read when the connection breaks', async () => {
    await expect((await guard.fetch(`${origin}/broken`)).text()).rejects.toThrow();
  });

  it('is decompressed even if compression was not requested', async () => {
    expect(await (await guard.fetch(`${origin}/packed`)).text()).toBe('unpacked');
  });

  it.each([
    ['long', () => undefined],
    ['endless', () => undefined],
    ['packed', () => undefined],
    ['long', formOfFiles],
    ['endless', formOfFiles],
    ['packed', formOfFiles],
  ])('is limited by its decompressed size: %s', async (path, body) => {
    const init = () => ({ method: 'POST', body: body() ?? null });
    const response = await guard.fetch(`${origin}/${path}`, init(), path === 'packed' ? 7 : 1_000_000);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('too large');
    if (path !== 'packed') return;
    expect(await (await guard.fetch(`${origin}/${path}`, init(), 8)).text()).toBe('unpacked');
  });

  it('is the redirect itself, which is not followed', async () => {
    expect((await guard.fetch(`${origin}/elsewhere`)).status).toBe(302);
  });
});

describe('a failure', () => {
  it('has an unknown outcome when the response was cut off', async () => {
    await expect(guard.fetch(`${origin}/cut`)).rejects.toMatchObject({
      problem: 'connection',
      dispatched: 'unknown',
    });
  });

  it('reports that nothing was written when the server does not listen', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    await expect(guard.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      problem: 'connection',
      dispatched: 'no',
    });
  });

  it('is the reason of the signal when the request was aborted', async () => {
    const stop = new AbortController();
    const asked = guard.fetch(`${origin}/hangs`, { signal: stop.signal });
    const arrived = once(server.http, 'request');
    await arrived;
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});
