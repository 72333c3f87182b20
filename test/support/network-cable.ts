import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a service on this machine that can be cut. */
export interface NetworkCable {
  /** The address for browsers. */
  readonly url: string;
  /** Ends every connection and refuses further ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Forwards to the port of a service, which may start later. */
export async function networkCable(service: number): Promise<NetworkCable> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(service, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: async () => {
      server.listen(port, 'localhost');
      await once(server, 'listening');
    },
  };
}
