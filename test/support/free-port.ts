import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux, macOS and Windows give to connections and to servers that name none. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const MAX_TRIES = 50;

/**
 * A port that nobody listens on now, and that no connection or server gets by chance before it is used: other tests run at the
 * same time.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`${MAX_TRIES} ports between ${LOWEST} and ${HIGHEST} are in use.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
