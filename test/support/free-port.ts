import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which Linux, macOS and Windows assign ports. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const MAX_TRIES = 50;

/** A free port outside of the range of automatically assigned ports, so that concurrent tests do not take it by chance. */
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
