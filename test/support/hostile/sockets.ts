import { randomBytes } from 'node:crypto';
import type { HostileCase, Scene } from './scene.js';

const upgrade = ({ port, key }: Scene, more: string, path = '/openapi/rtc', own = `X-API-Key: ${key}\r\n`) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${own}${more}\r\n`;
const RIGHT = () =>
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`;

/** A frame as browsers send it, masked with zeros. */
function frame(opcode: number, payload: string, { masked = true, length = payload.length } = {}): Buffer {
  const size = Buffer.alloc(9);
  size[0] = (masked ? 0x80 : 0) | 127;
  size.writeBigUInt64BE(BigInt(length), 1);
  return Buffer.concat([
    Buffer.from([0x80 | opcode]),
    size,
    Buffer.alloc(masked ? 4 : 0),
    Buffer.from(payload),
  ]);
}
const refused = (
  name: string,
  status: readonly number[],
  request: (scene: Scene) => string,
): HostileCase => ({
  name,
  status,
  act: (scene) => scene.raw(request(scene)),
});
/** Opens a socket and sends these bytes. The service must close it. */
const closed = (name: string, bytes: Buffer): HostileCase => ({
  name,
  status: [101],
  act: (scene) => scene.raw(upgrade(scene, RIGHT()), bytes),
});
/** Opens a socket and sends these bytes. The service must respond with an error and keep it open. */
const complained = (name: string, bytes: Buffer): HostileCase => ({
  name,
  status: [101],
  says: '"type":"error"',
  act: (scene) => scene.rawUntil('"type":"error"', upgrade(scene, RIGHT()), bytes),
});
const stream = (name: string, events: string): HostileCase => ({
  name,
  status: [400],
  act: (scene) => scene.ask('GET', `/openapi/events/stream?events=${encodeURIComponent(events)}`),
});

/** Sockets and streams that violate their protocol. */
export const sockets: readonly HostileCase[] = [
  refused('a socket without a key', [401], (scene) => upgrade(scene, RIGHT(), '/openapi/rtc', '')),
  refused('a socket with the key in its address', [401], (scene) =>
    upgrade(scene, RIGHT(), `/openapi/rtc?api_key=${scene.key}`, ''),
  ),
  refused('a socket with the scopes of a reader', [403], (scene) =>
    upgrade(scene, RIGHT(), '/openapi/rtc', `X-API-Key: ${scene.reader}\r\n`),
  ),
  refused('a socket of another site with the cookie of a person', [401, 403], (scene) =>
    upgrade(
      scene,
      `${RIGHT()}Cookie: ${scene.browser.cookie}\r\nOrigin: https://evil.example\r\n`,
      '/dashboard/api/openapi/rtc',
      '',
    ),
  ),
  refused('a socket at an address without sockets', [400, 404], (scene) =>
    upgrade(scene, `${RIGHT()}`, '/openapi/nothing'),
  ),
  refused('a socket of another version', [400, 426], (scene) =>
    upgrade(scene, `Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`),
  ),
  refused('a socket without its own key', [400], (scene) => upgrade(scene, 'Sec-WebSocket-Version: 13\r\n')),
  closed('a frame of 16 million terabytes', frame(1, '{}', { length: 2 ** 53 })),
  closed('a frame of 1 MB', frame(1, `"${'a'.repeat(1_000_000)}"`)),
  closed('a frame without a mask', frame(1, '{}', { masked: false })),
  closed('a frame of an unknown kind', frame(11, '{}')),
  complained('a frame that is no JSON', frame(1, '{')),
  complained('a frame that is nested 50,000 deep', frame(1, '['.repeat(50_000))),
  stream('a stream of events that do not exist', 'everything'),
  stream('a stream of the events of a prototype', '__proto__'),
  stream('a stream of events by a pattern', '.*'),
];
