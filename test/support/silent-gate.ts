import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port in front of the database server. Its connections can be cut without a signal to either side. */
export interface SilentGate {
  readonly port: number;
  /** Drops all further data of the present connections. New ones work. */
  cutSilently(): void;
  /** Refuses new connections. */
  refuse(): void;
  close(): Promise<void>;
}

/** Opens a gate in front of a server with its socket in the folder `host`. */
export async function silentGate(host: string): Promise<SilentGate> {
  const lines = new Set<{ near: Socket; far: Socket; cut: boolean }>();
  const server = createServer((near) => {
    const line = { near, far: connect({ path: `${host}/.s.PGSQL.5432` }), cut: false };
    lines.add(line);
    const { far } = line;
    near.on('data', (piece) => line.cut || far.write(piece));
    far.on('data', (piece) => line.cut || near.write(piece));
    near.on('error', () => undefined).on('close', () => line.cut || far.destroy());
    far.on('error', () => undefined).on('close', () => line.cut || near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutSilently: () => {
      for (const line of lines) line.cut = true;
    },
    refuse: () => void server.close(),
    close: async () => {
      server.close();
      for (const { near, far } of lines) for (const socket of [near, far]) socket.destroy();
      if (lines.size > 0) await once(server, 'close');
    },
  };
}
