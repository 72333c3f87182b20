import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { LocalClient } from '../../src/cli/local-client.js';
import { waitUntil } from '../../src/cli/wait-until.js';
import { childEnvironment } from '../../src/config.js';
import type { MessageRecord } from '../../src/core/messages/record.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-simulators-'));
chmodSync(dataDir, 0o711);
/** Several starts, on a machine that does other work as well. */
const LIMIT_MS = 900_000;
const children: ChildProcess[] = [];
const CONNECTED = /http:\/\/127\.0\.0\.1:\d+\S* +connected/g;

/** Starts the service with its simulators. Resolves with its printed introduction. */
async function start(directory: string) {
  const child = spawn(process.execPath, ['bin/trunkline.mjs', 'start', '--simulators'], {
    cwd: REPOSITORY,
    env: childEnvironment({ DATA_DIR: directory, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const closed = once(child, 'close');
  let log = '';
  let said = '';
  child.stdout.on('data', (chunk) => {
    log += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await waitUntil(() => / -d '.*'\n/.test(said) || child.exitCode !== null, LIMIT_MS);
  const stop = async () => {
    child.kill('SIGTERM');
    return (await closed)[0];
  };
  return { said, log: () => log, stop };
}

/** Parses the printed command that sends a message. */
function printed(said: string) {
  const [, apiKey = '', origin = '', path = '', body = ''] =
    /X-API-Key: (\S+)' -H 'Content-Type: application\/json' (http:\/\/[^/]+)\/v1(\S+) \\\n +-d '(.*)'/.exec(
      said,
    ) ?? [];
  return { apiKey, path, body: JSON.parse(body) as object, client: new LocalClient(origin, apiKey) };
}

function sentEverywhere(client: LocalClient, text: string) {
  return waitUntil(async () => {
    const messages = await client.all<MessageRecord>('/openapi/messages');
    const sent = messages
      .find((message) => message.text === text)
      ?.deliveries.filter(({ status }) => status === 'sent' || status === 'delivered');
    return sent?.length === 4;
  });
}

/** The output of `trunkline say`. */
async function spoken(directory: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['bin/trunkline.mjs', 'say', ...args], {
    cwd: REPOSITORY,
    env: childEnvironment({ DATA_DIR: directory }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk);
    });
  await once(child, 'close');
  return said;
}

function received(client: LocalClient, text: string) {
  return waitUntil(async () => {
    const messages = await client.all<MessageRecord>('/openapi/messages');
    return messages.some((message) => message.text === text && message.direction === 'inbound');
  });
}

describe('a start with simulators', () => {
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  test(
    'has its own data, prints a sign-in and working commands, and restores its connections at the next start',
    async () => {
      const first = await start(dataDir);
      expect(first.said).toMatch(/Sign-in +owner@example\.com\n +Password +\S{16}\n/);
      expect(first.said.match(CONNECTED), first.said).toHaveLength(4);
      for (const line of first.log().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
      const command = printed(first.said);
      await command.client.post(command.path, command.body);
      expect(await sentEverywhere(command.client, 'Hello, everybody')).toBe(true);
      expect(await spoken(dataDir, ['telegram', 'Hi from Ada'])).toMatch(
        /Ada wrote message \S+ in .+ \(telegram /,
      );
      expect(await received(command.client, 'Hi from Ada')).toBe(true);
      expect(await spoken(dataDir, ['icq', 'Hi'])).toMatch(/no simulated "icq"/);
      expect(readdirSync(dataDir)).toEqual(['simulators']);
      expect(await first.stop()).toBe(0);
      expect(await spoken(dataDir, ['telegram', 'Hi'])).toMatch(/No service with simulators runs on/);

      const second = await start(dataDir);
      expect(second.said.match(CONNECTED), second.said).toHaveLength(4);
      const again = printed(second.said);
      expect(again.apiKey).toBe(command.apiKey);
      expect(await again.client.count('/openapi/platforms/connections')).toBe(4);
      await again.client.post(again.path, again.body);
      expect(await sentEverywhere(again.client, 'Hello again')).toBe(true);
      expect(await second.stop()).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'shows the introduction in a terminal, and writes the log to a file',
    async () => {
      const directory = join(dataDir, 'terminal');
      // `script` gives the service a terminal.
      const child = spawn('script', ['-qec', 'node bin/trunkline.mjs start --simulators', '/dev/null'], {
        cwd: REPOSITORY,
        env: childEnvironment({ DATA_DIR: directory, PORT: '0' }),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      let screen = '';
      child.stdout.on('data', (chunk) => {
        screen += String(chunk);
      });
      expect(await waitUntil(() => screen.includes('npx trunkline say'), LIMIT_MS)).toBe(true);
      expect(screen).not.toContain('"level"');
      const [, file = ''] = /Log +(\S+)/.exec(screen) ?? [];
      expect(file).toBe(join(directory, 'simulators', 'trunkline.log'));
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('listening');
      child.kill('SIGTERM');
      await once(child, 'close');
    },
    LIMIT_MS,
  );
});
