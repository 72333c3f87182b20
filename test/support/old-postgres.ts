import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const [INT4, BOOL] = [23, 16];

/** A server that only reports its version as PostgreSQL does, with `server_version_num`. */
export async function startOldPostgres(version: number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const ready = message('Z', Buffer.from('I'));
  const answer = Buffer.concat([
    message('T', Buffer.concat([int16(2), column('version', INT4), column('marked', BOOL)])),
    message('D', Buffer.concat([int16(2), value(String(version)), value('t')])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      socket.on('data', (asked) => asked.toString('latin1', 0, 1) === 'Q' && socket.write(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function column(name: string, type: number): Buffer {
  return Buffer.concat([
    Buffer.from(`${name}\0`),
    int32(0),
    int16(0),
    int32(type),
    int16(-1),
    int32(-1),
    int16(0),
  ]);
}

function value(text: string): Buffer {
  return Buffer.concat([int32(text.length), Buffer.from(text)]);
}

function int32(number: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(number);
  return buffer;
}

function int16(number: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(number);
  return buffer;
}
