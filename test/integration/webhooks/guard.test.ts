import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutgoingProblem } from '../../../src/core/common/outgoing.js';
import { createGuard, type Guard, type GuardOptions } from '../../../src/outgoing/guard.js';
import { type LoopbackServer, listenOnLoopback, loopbackReceiver } from '../../support/loopback-receiver.js';

const started: { close(): Promise<void> }[] = [];
const kept = <T extends { close(): Promise<void> }>(each: T): T => {
  started.push(each);
  return each;
};
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.close();
});

const guardWith = (options: Partial<GuardOptions> = {}): Guard =>
  kept(createGuard({ allowPrivateTargets: ['127.0.0.0/8'], ownAddress: () => undefined, ...options }));
const failsWith = (problem: OutgoingProblem) => expect.objectContaining({ name: 'OutgoingError', problem });

/** A server that handles raw connections as the test defines. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  const listening = await listenOnLoopback(server);
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return listening.close();
  };
  return kept({ ...listening, close });
}

describe('request', () => {
  const post = (guard: Guard, url: string) => guard.request({ url, method: 'POST', body: 'hello' });

  it('sends what it is given to the checked address and keeps the name in Host', async () => {
    const receiver = kept(await loopbackReceiver((_request, response) => response.writeHead(201).end('ok')));
    const guard = guardWith({ resolve: async () => ['127.0.0.1'] });
    const url = `http://receiver.test:${receiver.port}/path?x=1`;
    const answer = await guard.request({ url, method: 'POST', headers: { 'x-a': 'b' }, body: 'hello' });
    expect(answer).toMatchObject({ status: 201, body: Buffer.from('ok') });
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/path?x=1',
        body: 'hello',
        headers: { host: `receiver.test:${receiver.port}`, 'x-a': 'b' },
      },
    ]);
  });

  it('resolves once per connection and never connects to an address it did not check', async () => {
    const receiver = kept(
      await loopbackReceiver((_request, response) => response.writeHead(200, { connection: 'close' }).end()),
    );
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const guard = guardWith({ resolve: async () => answers[asked++] ?? [] });
    const url = `http://rebinding.test:${receiver.port}/`;
    await expect(post(guard, url)).resolves.toMatchObject({ status: 200 });
    await expect(post(guard, url)).rejects.toThrow(failsWith('forbidden_target'));
    await expect(post(guard, url)).rejects.toThrow(failsWith('forbidden_target'));
    await expect(post(guard, url)).resolves.toMatchObject({ status: 200 });
    await expect(post(guard, url)).rejects.toThrow(failsWith('dns'));
    expect(asked).toBe(5);
    expect(receiver.received).toHaveLength(2);
  });

  it('reuses connections to an origin', async () => {
    const receiver = kept(await loopbackReceiver((_request, response) => response.end()));
    let asked = 0;
    const guard = guardWith({
      resolve: async () => {
        asked += 1;
        return ['127.0.0.1'];
      },
    });
    for (let n = 0; n < 20; n += 1) await post(guard, `http://receiver.test:${receiver.port}/`);
    expect(asked).toBeLessThan(3);
  });

  it('refuses literal addresses, ports and schemes without connecting', async () => {
    let connections = 0;
    const { port } = await rawServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const strict = guardWith({ allowPrivateTargets: [] });
    const mapped = `[::ffff:127.0.0.1]:${port}`;
    for (const host of [`127.0.0.1:${port}`, mapped, `0x7f000001:${port}`, `localhost:${port}`]) {
      for (const scheme of ['http', 'https']) {
        await expect(post(strict, `${scheme}://${host}/`)).rejects.toThrow(failsWith('forbidden_target'));
        await expect(strict.fetch(`${scheme}://${host}/`)).rejects.toThrow(failsWith('forbidden_target'));
      }
    }
    await expect(post(guardWith(), 'http://127.0.0.1:6379/')).rejects.toThrow(failsWith('forbidden_target'));
    await expect(post(guardWith(), 'nope')).rejects.toThrow(failsWith('forbidden_target'));
    expect(connections).toBe(0);
  });

  it('refuses the address of the service itself', async () => {
    const receiver = kept(await loopbackReceiver((_request, response) => response.end()));
    const guard = guardWith({ ownAddress: () => ({ host: '127.0.0.1', port: receiver.port }) });
    await expect(post(guard, receiver.url)).rejects.toThrow(failsWith('forbidden_target'));
    expect(receiver.received).toHaveLength(0);
  });

  it('does not follow redirects', async () => {
    const receiver = kept(
      await loopbackReceiver((_request, response) =>
        response.writeHead(307, { location: '/elsewhere' }).end(),
      ),
    );
    const guard = guardWith();
    await expect(post(guard, receiver.url)).resolves.toMatchObject({ status: 307 });
    expect((await guard.fetch(receiver.url)).status).toBe(307);
    expect(receiver.received).toHaveLength(2);
  });

  it('reads at most 64 KiB of an endless response', async () => {
    const { url } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n');
      const chunk = Buffer.alloc(16 * 1024);
      const write = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', write);
      write();
    });
    const answer = await post(guardWith(), url);
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(64 * 1024);
  });

  it.each<[string, (socket: Socket) => void, OutgoingProblem]>([
    ['hangs', () => undefined, 'timeout'],
    [
      'drips its answer',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na'),
      'timeout',
    ],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'connection'],
    ['closes without an answer', (socket) => socket.once('data', () => socket.end()), 'connection'],
    ['speaks no HTTP', (socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n')), 'connection'],
  ])('names the problem of a server that %s', async (_name, onConnection, problem) => {
    const { url } = await rawServer(onConnection);
    await expect(post(guardWith({ totalTimeoutMs: 150 }), url)).rejects.toThrow(failsWith(problem));
  });

  it('names a failure before anything is written, and reports that nothing was sent', async () => {
    const closed = await loopbackReceiver((_request, response) => response.end());
    await closed.close();
    await expect(post(guardWith(), closed.url)).rejects.toMatchObject({
      problem: 'connection',
      dispatched: 'no',
    });
    const plain = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
    );
    const secure = plain.url.replace('http', 'https');
    await expect(post(guardWith(), secure)).rejects.toMatchObject({ problem: 'tls', dispatched: 'no' });
    await expect(
      post(guardWith({ resolve: () => Promise.reject(new Error('no')) }), 'https://x.test/'),
    ).rejects.toMatchObject({ problem: 'dns', dispatched: 'no' });
  });

  it('reveals no addresses in its errors', async () => {
    const guard = guardWith({ resolve: async () => ['10.1.2.3'] });
    const error = await post(guard, 'https://inside.test/').catch((caught: unknown) => caught);
    expect(
      JSON.stringify(error, Object.getOwnPropertyNames(error as object)).replace(/"stack":".*?[^\\]"/, ''),
    ).not.toMatch(/10\.1\.2\.3|inside/);
    expect((error as Error).cause).toBeUndefined();
  });

  it('fails with the abort reason of the caller', async () => {
    const { url } = await rawServer(() => undefined);
    const stop = new AbortController();
    const pending = guardWith().request({ url, method: 'GET', signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    await expect(guardWith().request({ url, method: 'GET', signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('fetch', () => {
  let receiver: Awaited<ReturnType<typeof loopbackReceiver>>;
  beforeEach(async () => {
    receiver = kept(await loopbackReceiver((request, response) => response.end(request.body)));
  });

  it('has the web standard types of the platform: Request, FormData, Response', async () => {
    const guard = guardWith();
    const form = new FormData();
    form.set('file', new Blob(['content']), 'name.txt');
    const answer = await guard.fetch(new URL(receiver.url), { method: 'POST', body: form });
    expect(answer).toBeInstanceOf(Response);
    expect(await answer.text()).toContain('filename="name.txt"');
    const request = new Request(receiver.url, { method: 'PUT', body: 'text', headers: { 'x-a': 'b' } });
    expect(await (await guard.fetch(request)).text()).toBe('text');
    expect(receiver.received.at(-1)).toMatchObject({ method: 'PUT', headers: { 'x-a': 'b' } });
  });

  it('passes on aborts and invalid arguments unchanged, and raises OutgoingError for a forbidden target', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(guardWith().fetch(receiver.url, { signal: stop.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const rebound = guardWith({ resolve: async () => ['10.0.0.1'] });
    await expect(rebound.fetch('https://x.test/')).rejects.toMatchObject({
      problem: 'forbidden_target',
      dispatched: 'no',
    });
    await expect(guardWith().fetch(receiver.url, { method: 'GET', body: 'x' })).rejects.toThrow(TypeError);
  });
});
