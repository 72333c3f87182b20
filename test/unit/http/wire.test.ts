import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { route, TakeOver } from '../../../src/http/route.js';
import { ALL, Notes, testServer } from '../../support/http.js';

const notes = new Notes();
const stream = route({
  method: 'GET',
  path: '/openapi/stream',
  summary: 'Stream',
  tag: 'Notes',
  scopes: [],
  oauth: 'any',
  success: 200,
  handler: async () =>
    new TakeOver((response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end('data: 1\n\n');
    }),
});
/** Like webhooks: the requested events are checked before the body is validated. */
const admitted = route({
  method: 'POST',
  path: '/openapi/admitted',
  summary: 'Admit',
  tag: 'Notes',
  scopes: [],
  oauth: 'any',
  admits: async (_caller, _path, sent) => {
    await sent();
    // Simulates a database query, during which the rest of the body arrives.
    await new Promise((resolve) => setTimeout(resolve, 50));
  },
  success: 204,
  handler: async () => undefined,
});
const server = testServer([...notes.routes(), stream, admitted], { all: ALL });
let port = 0;

beforeAll(async () => {
  await server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

/** Sends raw bytes and resolves with the whole response. */
async function exchange(head: string, body = ''): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}\r\nHost: test\r\nConnection: close\r\n\r\n${body}`);
  const [answerHead = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  return {
    status: Number(answerHead.split(' ')[1]),
    head: answerHead.toLowerCase(),
    body: rest.join('\r\n\r\n'),
  };
}
const KEY = 'X-API-Key: all';

describe('on the wire', () => {
  it.each([
    'GET /openapi/./notes',
    'GET /openapi/x/../notes',
    'GET /openapi/notes/.',
    'GET /openapi/notes/x/..',
  ])('dot segments are not resolved: %s', async (line) => {
    expect((await exchange(`${line} HTTP/1.1\r\n${KEY}`)).status).toBe(404);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const get = await exchange(`GET /openapi/notes HTTP/1.1\r\n${KEY}`);
    const head = await exchange(`HEAD /openapi/notes HTTP/1.1\r\n${KEY}`);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.head).toContain(`content-length: ${get.body.length}`);
  });

  it('a version header is checked even if no route matches', async () => {
    expect((await exchange(`GET /openapi/nope HTTP/1.1\r\n${KEY}\r\nAccept-Version: 9`)).status).toBe(400);
    expect((await exchange(`GET /openapi/nope HTTP/1.1\r\n${KEY}\r\nAccept-Version: 2`)).head).toContain(
      'x-api-version: 2.0',
    );
  });

  it.each([
    ['an oversize head', `GET /openapi/notes HTTP/1.1\r\nX-Long: ${'x'.repeat(30_000)}`, 'too_large'],
    ['a URL that is not percent-encoded', 'GET /openapi/notes?filter=text:grün HTTP/1.1', 'malformed'],
    ['no request line', 'nonsense', 'malformed'],
    ['a header that is none', 'GET /openapi/notes HTTP/1.1\r\nno colon', 'malformed'],
  ])('%s is answered with the error body', async (_, head, code) => {
    const answer = await exchange(head);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: 'invalid_request',
      details: { fields: [{ code }] },
    });
    expect(answer.head).toContain('x-request-id: ');
  });

  it('a body over the limit is refused with and without Content-Length', async () => {
    const line = `POST /openapi/notes HTTP/1.1\r\n${KEY}\r\nContent-Type: application/json`;
    const body = 'x'.repeat(1_200_000);
    const said = await exchange(`${line}\r\nContent-Length: ${body.length}`, body);
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const unsaid = await exchange(`${line}\r\nTransfer-Encoding: chunked`, chunk);
    expect([said.status, unsaid.status]).toEqual([400, 400]);
    expect(JSON.parse(unsaid.body).details.fields[0].code).toBe('too_large');
  });

  it('a body over the limit is refused for all readers, whichever reads it first', async () => {
    const line = `POST /openapi/admitted HTTP/1.1\r\n${KEY}\r\nContent-Type: application/json`;
    for (const body of ['x'.repeat(1_048_577), `${'x'.repeat(1_048_577)}{}`]) {
      const chunks = [body.slice(0, 1_048_577), body.slice(1_048_577)].filter((chunk) => chunk !== '');
      const sent = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
      const answer = await exchange(`${line}\r\nTransfer-Encoding: chunked`, `${sent}0\r\n\r\n`);
      expect(JSON.parse(answer.body)).toMatchObject({
        details: { fields: [{ field: '', code: 'too_large' }] },
      });
    }
  });

  it.each(['h2c', 'websocket'])(
    'a POST that offers an upgrade to %s is answered like any other',
    async (protocol) => {
      const before = notes.items.length;
      const asking = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk`;
      const head = `POST /openapi/notes HTTP/1.1\r\nHost: test\r\n${KEY}\r\nContent-Type: application/json`;
      const body = JSON.stringify({ text: 'rather' });
      const socket = connect(port, '127.0.0.1');
      const answers = text(socket);
      socket.write(`${head}\r\n${asking}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 4)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.write(body.slice(4));
      await expect.poll(() => notes.items.length).toBe(before + 1);
      socket.write(`${head}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      expect([...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        '201',
        '201',
      ]);
      expect(notes.items.slice(before).map((note) => note.text)).toEqual(['rather', 'rather']);
    },
  );

  it('invalid data is refused after the responses to earlier requests', async () => {
    const post = 'POST /openapi/admitted HTTP/1.1\r\nHost: test\r\nX-API-Key: all\r\nContent-Length: 0';
    const socket = connect(port, '127.0.0.1');
    socket.write(`${post}\r\n\r\nnonsense\r\n\r\n`);
    const answers = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(answers).toEqual(['204', '400']);
  });

  it('every request of a connection may offer an upgrade', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => warnings.push(message);
    process.on('warning', note);
    const socket = connect(port, '127.0.0.1');
    let answers = '';
    socket.on('data', (bytes) => {
      answers += bytes;
    });
    for (let count = 1; count <= 12; count += 1) {
      socket.write(
        `GET /openapi/notes/nope HTTP/1.1\r\nHost: test\r\n${KEY}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
      );
      await expect.poll(() => [...answers.matchAll(/HTTP\/1\.1 404/g)].length).toBe(count);
    }
    socket.destroy();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it.each(['h2c', 'websocket'])(
    'a request for an upgrade to %s waits for the responses to earlier requests',
    async (protocol) => {
      const post = 'POST /openapi/admitted HTTP/1.1\r\nHost: test\r\nX-API-Key: all\r\nContent-Length: 0';
      const get = `GET /openapi/nope HTTP/1.1\r\nHost: test\r\nX-API-Key: all\r\nConnection: Upgrade\r\nUpgrade: ${protocol}`;
      const socket = connect(port, '127.0.0.1');
      const answers = text(socket);
      socket.write(`${post}\r\n\r\n${get}\r\n\r\n`);
      if (protocol === 'h2c') setTimeout(() => socket.end(), 200);
      expect([...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        '204',
        '404',
      ]);
    },
  );

  it('a refused request does not spoil the connection for the next one', async () => {
    const body = 'x'.repeat(100_000);
    const first = `POST /openapi/notes HTTP/1.1\r\nHost: test\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(port, '127.0.0.1');
    socket.write(`${first}GET /openapi/notes HTTP/1.1\r\nHost: test\r\n${KEY}\r\nConnection: close\r\n\r\n`);
    const answers = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(answers).toEqual(['401', '200']);
  });

  it('a handler can write the response itself, with the common headers', async () => {
    const answer = await exchange(`GET /openapi/stream HTTP/1.1\r\n${KEY}`);
    expect(answer.head).toContain('content-type: text/event-stream');
    expect(answer.head).toContain('x-ratelimit-limit: 1000000000');
    expect(answer.head).toContain('x-request-id: ');
    expect(answer.body).toContain('data: 1');
  });
});
