import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

/** A separate Redis server on a free loopback port, without persistence. */
export interface TestRedis {
  url: string;
  /** For inspection of the server and for FLUSHALL. */
  client: Redis;
  /** Ends the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * False, with a warning, if there is no `redis-server` in the path.
 *
 * In CI its absence is an error: a suite that silently never runs proves nothing.
 */
export function hasRedis(): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true;
  if (process.env.CI) throw new Error('redis-server is not installed, and CI must not skip its tests.');
  console.warn('SKIPPED: the tests on Redis need redis-server in the PATH.');
  return false;
}

export async function startRedis(extra: string[] = []): Promise<TestRedis> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'trunkline-redis-'));
  let server = await launch(port, directory, extra);
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 50 });
  client.on('error', () => undefined);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    kill,
    start: async () => {
      server = await launch(port, directory, extra);
    },
    stop: async () => {
      client.disconnect();
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, directory: string, extra: string[]): Promise<ChildProcess> {
  const fixed = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const server = spawn('redis-server', [...fixed, ...extra], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    if (!String(text).includes('Ready to accept connections')) continue;
    server.stdout.resume();
    return server;
  }
  throw new Error(`The Redis server on port ${port} ended before it was ready.`);
}
