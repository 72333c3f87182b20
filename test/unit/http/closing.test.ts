import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALL, Notes, testServer } from '../../support/http.js';

const server = testServer(new Notes().routes(), { all: ALL });
const connections = promisify(server.server.getConnections.bind(server.server));
const sockets: Socket[] = [];
let port = 0;

beforeAll(async () => {
  await server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.close());

/** A client that never closes by itself. */
function client(): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const UPGRADE = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';

describe('the connection of a refused request', () => {
  it.each([
    ['what is no HTTP', 'NONSENSE\r\n\r\n'],
    ['an oversize head', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['an upgrade that is refused', `GET /openapi/notes HTTP/1.1\r\nHost: a\r\n${UPGRADE}\r\n`],
    ['an upgrade without credentials', `GET /openapi/rtc HTTP/1.1\r\nHost: a\r\n${UPGRADE}\r\n`],
    ['a body that never comes', 'POST /openapi/notes HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'],
    ['a last body that never comes', 'POST /nope HTTP/1.0\r\nContent-Length: 9\r\n\r\n'],
  ])('is closed soon after the response to %s, even if the client keeps it open', async (_what, bytes) => {
    const heard = Array.from({ length: 20 }, () => {
      const socket = client();
      socket.write(bytes);
      return new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    });
    for (const answer of await Promise.all(heard)) expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    await expect.poll(connections, { timeout: 15_000 }).toBe(0);
  });

  it('is closed when its head does not arrive in time', async () => {
    const { headersTimeout } = server.server;
    server.server.headersTimeout = 500;
    try {
      const socket = client();
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
      const answer = await new Promise((resolve) => socket.once('data', resolve));
      expect(String(answer)).toContain('The request did not arrive in time.');
      await expect.poll(connections, { timeout: 15_000 }).toBe(0);
    } finally {
      server.server.headersTimeout = headersTimeout;
    }
  });
});

/** Sends a whole body before it reads anything, as many clients do. Resolves with the response. */
async function sendThenRead(head: string, bytes: number): Promise<string> {
  const socket = client();
  socket.pause();
  socket.write(`${head}\r\n\r\n`);
  const piece = Buffer.alloc(65_536, 'a');
  for (let sent = 0; sent < bytes; sent += piece.length) {
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  return text(socket);
}

const MUCH = 4 * 1_048_576;

describe('a client that sends its whole body before it reads', () => {
  it.each([
    ['400', 'POST /openapi/notes HTTP/1.1\r\nHost: a\r\nX-API-Key: all\r\nConnection: close'],
    ['400', 'POST /openapi/notes HTTP/1.0\r\nX-API-Key: all'],
    ['401', 'POST /openapi/notes HTTP/1.1\r\nHost: a\r\nConnection: close'],
    ['401', 'POST /openapi/notes HTTP/1.0\r\nX-API-Key: nope'],
    ['404', 'POST /openapi/nope HTTP/1.1\r\nHost: a\r\nX-API-Key: all\r\nConnection: close'],
    ['400', 'POST /nope HTTP/1.0\r\nX-API-Key: all'],
    ['400', 'POST /openapi/notes HTTP/1.1\r\nHost: a\r\nX-API-Key: all\r\nConnection: close\r\nExpect: x'],
  ])('receives the %s for %j', async (status, head) => {
    const answer = await sendThenRead(
      `${head}\r\nContent-Type: application/json\r\nContent-Length: ${MUCH}`,
      MUCH,
    );
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toHaveProperty('message');
  });

  it('receives the 400 for invalid HTTP', async () => {
    expect(await sendThenRead('POST / HTTP/1.1\r\nHost : a', MUCH)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('can send another request on the same connection', async () => {
    const socket = client();
    const head = `POST /openapi/notes HTTP/1.1\r\nHost: a\r\nContent-Length: ${MUCH}\r\n\r\n`;
    socket.write(head + 'a'.repeat(MUCH));
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const answers = await text(socket);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('is disconnected when it sends more than the limit', async () => {
    const socket = client();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const piece = Buffer.alloc(1_048_576, 'a');
    socket.write('POST /openapi/notes HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n');
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pump);
    pump();
    await closed;
    await expect.poll(connections).toBe(0);
  });
});

describe('the head of a request', () => {
  const ask = (bytes: string) => {
    const socket = client();
    socket.write(bytes);
    return text(socket);
  };

  it.each(['http://a.example', 'HTTP://a.example:8080', 'https://user@a.example'])(
    'may have its target in absolute form: %s',
    async (origin) => {
      const get = (path: string, more = '') =>
        ask(`GET ${origin}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`);
      expect(await get('/healthz')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await get('/v1/openapi/notes?limit=1', 'X-API-Key: all\r\n')).toMatch(/^HTTP\/1\.1 200 /);
      expect(await get('?x=1')).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it.each(['/healthz', '/nope', '/docs'])('needs one Host header in HTTP/1.1, also for %s', async (path) => {
    expect(await ask(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    const twice = `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`;
    expect(await ask(twice)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('needs no Host header in HTTP/1.0', async () => {
    expect(await ask('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is refused without a version', async () => {
    expect(await ask('GET /healthz\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('every response', () => {
  const secure = testServer(new Notes().routes(), { all: ALL }, { publicUrl: 'https://bridge.example' });
  afterAll(() => secure.close());

  it.each([
    ['GET', '/healthz'],
    ['GET', '/nope'],
    ['GET', '/openapi/notes'],
    ['GET', '/%zz'],
    ['PUT', '/healthz'],
  ] as const)('has nosniff, and HSTS under an https PUBLIC_URL: %s %s', async (method, url) => {
    const { headers } = await secure.inject({ method, url });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    const plain = await server.inject({ method, url });
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    expect(plain.headers['strict-transport-security']).toBeUndefined();
  });
});
