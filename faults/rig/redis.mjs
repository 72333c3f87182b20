import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { owned } from './owned.mjs';
import { freePort } from './ports.mjs';

/** Whether `redis-server` is in the PATH. */
export function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** A Redis server of the rig, without persistence. After a kill it is empty. */
export class RedisServer {
  port;
  #child;
  #client;

  constructor(folder, more = []) {
    this.folder = join(folder, 'redis');
    this.more = more;
  }

  async start() {
    await mkdir(this.folder, { recursive: true });
    this.port ??= await freePort();
    const fixed = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.folder];
    const line = [...fixed, '--save', '', '--appendonly', 'no', ...this.more];
    this.#child = owned(spawn('redis-server', line, { stdio: ['ignore', 'pipe', 'inherit'] }));
    for await (const text of this.#child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      if (text.includes('Ready to accept connections')) break;
    }
    this.#child.stdout.resume();
    this.#client ??= this.#connect();
  }

  #connect() {
    const client = new Redis({ port: this.port, host: '127.0.0.1', retryStrategy: () => 50 });
    client.on('error', () => undefined);
    return client;
  }

  /** A figure of INFO, such as `evicted_keys`, or 0 if it is missing. */
  async figure(section, name) {
    const info = await this.call('INFO', section);
    return Number(new RegExp(`^${name}:(?:count=)?(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  }

  /** One command, such as FLUSHALL. */
  call(...words) {
    return this.#client.call(...words);
  }

  get isUp() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill() {
    if (!this.isUp) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async close() {
    this.#client?.disconnect();
    await this.kill();
  }
}
