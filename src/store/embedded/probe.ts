import { connectClient } from '../client.js';
import { ADMIN_ROLE } from './cluster.js';

/** What answers on a server's socket: a ready server, one that starts or stops, or nothing. */
export type ServerState = 'accepting' | 'busy' | 'absent';

const CANNOT_CONNECT_NOW = '57P03';
const NOBODY_LISTENS = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR']);

/** Asks the server behind a socket folder for its state. */
export async function probeServer(socketDirectory: string): Promise<ServerState> {
  try {
    const client = await connectClient({
      host: socketDirectory,
      user: ADMIN_ROLE,
      database: 'postgres',
      connectionTimeoutMillis: 5_000,
    });
    await client.end();
    return 'accepting';
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === CANNOT_CONNECT_NOW) return 'busy';
    if (code !== undefined && NOBODY_LISTENS.has(code)) return 'absent';
    // Anything else was said by a server, or broke off in the middle of its shutdown.
    return 'busy';
  }
}
