import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no outgoing connection takes a port before its process listens. */
const FIRST = 20_000;
const COUNT = 10_000;
let next = (process.pid * 61) % COUNT;

/** A free port that this process has not returned before. */
export async function freePort() {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + (next % COUNT);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('No port is free.');
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
