import type { HostileCase, Scene } from './scene.js';

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
const CREATE = ({ key }: Scene) =>
  `POST /openapi/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
const STATUS = ({ key }: Scene) =>
  `GET /openapi/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-API-Key: ${key}\r\n`;

/** A request with exactly these lines. */
const lines = (
  name: string,
  status: readonly number[],
  head: string | ((scene: Scene) => string),
): HostileCase => ({
  name,
  status,
  act: (scene) => scene.raw(typeof head === 'string' ? head : head(scene)),
});

/** Requests that proxies and servers may interpret differently. */
export const framing: readonly HostileCase[] = [
  lines(
    'a body with both a length and chunks',
    [400],
    (scene) => `${CREATE(scene)}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  lines(
    'a body with two lengths',
    [400],
    (scene) => `${CREATE(scene)}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
  ),
  lines('a negative length', [400], (scene) => `${CREATE(scene)}Content-Length: -1\r\n\r\n`),
  lines('a length in hexadecimal', [400], (scene) => `${CREATE(scene)}Content-Length: 0x10\r\n\r\n`),
  lines(
    'a length that no number holds',
    [400],
    (scene) => `${CREATE(scene)}Content-Length: 99999999999999999999999\r\n\r\n`,
  ),
  lines(
    'a transfer encoding that ends in another than chunked',
    [400],
    (scene) => `${CREATE(scene)}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ),
  lines(
    'a chunk size that no number holds',
    [400],
    (scene) => `${CREATE(scene)}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`,
  ),
  lines(
    'a chunk size that is no number',
    [400],
    (scene) => `${CREATE(scene)}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ),
  lines('a header that goes on in the next line', [400], `${HEAD}X-Folded: a\r\n b\r\n\r\n`),
  lines('a header with U+0000', [400], `${HEAD}X-Zero: a\0b\r\n\r\n`),
  lines('a header with a space before its colon', [400], `${HEAD}X-API-Key : a\r\n\r\n`),
  lines('a header without a name', [400], `${HEAD}: a\r\n\r\n`),
  lines('a request without a host', [400], 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'),
  lines(
    'a version of HTTP that does not exist',
    [400, 505],
    'GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n',
  ),
  lines('a request line without a version', [400], 'GET /healthz\r\n\r\n'),
  lines('a method of another protocol', [400], 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  lines('a method that does not exist', [400], 'HACK /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  lines('a head of 20 KiB', [400, 431], (scene) => `${STATUS(scene)}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`),
  lines(
    'a head of 3,000 headers',
    [400, 431],
    (scene) => `${STATUS(scene)}${Array.from({ length: 3_000 }, (_, at) => `X-${at}: a\r\n`).join('')}\r\n`,
  ),
  lines(
    'a tunnel to another host',
    [0, 400, 404, 405],
    'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nConnection: close\r\n\r\n',
  ),
  lines(
    'a trace, which would return the headers',
    [404],
    'TRACE /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Secret: 1\r\n\r\n',
  ),
  lines('TLS on the port of HTTP', [0, 400], '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  {
    name: 'a second request in the body of the first',
    status: [400],
    act: (scene) =>
      scene.raw(
        `${CREATE(scene)}Content-Length: 0\r\n\r\nDELETE /openapi/conversations/${String(scene.conversation.id)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      ),
  },
];
