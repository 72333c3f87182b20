import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A start-up packet: its length, the protocol version, then names and values, each followed by a zero. */
const HEAD_BYTES = 8;

/**
 * A port in front of a PostgreSQL server that treats the start-up option `options` as poolers do: `refuse` answers as PgBouncer
 * does by default, `drop` as PgBouncer does with `ignore_startup_parameters = options`.
 */
export async function startPooler(
  host: string,
  mode: 'refuse' | 'drop',
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    near.once('data', (packet) => {
      const parameters = packet.subarray(HEAD_BYTES).toString('latin1').split('\0');
      const at = parameters.indexOf('options');
      if (at >= 0 && mode === 'refuse') return void near.end(fatal('unsupported startup parameter: options'));
      if (at >= 0) parameters.splice(at, 2);
      const far = connect({ path: `${host}/.s.PGSQL.5432` });
      sockets.add(far);
      far.on('error', () => undefined).write(startupPacket(packet, parameters.join('\0')));
      near.pipe(far).pipe(near);
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

function startupPacket(original: Buffer, parameters: string): Buffer {
  const packet = Buffer.concat([original.subarray(0, HEAD_BYTES), Buffer.from(parameters, 'latin1')]);
  packet.writeInt32BE(packet.length);
  return packet;
}

function fatal(message: string): Buffer {
  const body = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
