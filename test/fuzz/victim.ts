import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { Inspector } from './inspector.js';

export const OWNER = { email: 'owner@example.test', password: 'correct horse battery' } as const;

const START_MS = 60_000;

/** The service under test, with its own process and database. */
export interface Victim {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
  readonly inspector: Inspector;
  /** Defects that it has logged so far, each once. */
  readonly defects: ReadonlyMap<string, Record<string, unknown>>;
  /** The number of log entries by title. */
  readonly logged: ReadonlyMap<string, number>;
  /** Undefined while it runs. */
  readonly ended: () => number | null | undefined;
  stop(): Promise<number | null>;
}

export async function startVictim(env: Readonly<Record<string, string>>): Promise<Victim> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-fuzz-'));
  const { key } = generateApiKey('live');
  const program = resolve('bin/trunkline.mjs');
  const { PATH = '', HOME = '', LANG = '' } = process.env;
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', program, 'start'], {
    env: {
      PATH,
      HOME,
      LANG,
      DATA_DIR: dataDir,
      PORT: '0',
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      TRUNKLINE_BOOTSTRAP_EMAIL: OWNER.email,
      TRUNKLINE_BOOTSTRAP_PASSWORD: OWNER.password,
      TRUNKLINE_BOOTSTRAP_API_KEY: key,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A run that is aborted leaves no service behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  let ended: number | null | undefined;
  void exited.then((code) => {
    ended = code;
    process.removeListener('exit', kill);
  });
  const log = new Log();
  const [url, debuggerUrl] = await addressesOf(child, log, exited);
  const inspector = await Inspector.open(debuggerUrl);
  return {
    url: url.replace('localhost', '127.0.0.1'),
    key,
    dataDir,
    inspector,
    defects: log.defects,
    logged: log.counts,
    ended: () => ended,
    stop: async () => {
      inspector.close();
      child.kill('SIGTERM');
      const code = await exited;
      await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

/** A line that is not JSON is a defect as well. */
function readEntry(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { level: 'error', msg: `A line of the log is no JSON: ${line.slice(0, 200)}` };
  }
}

/** The log of the service. A line of level error is a defect. */
class Log {
  readonly counts = new Map<string, number>();
  readonly defects = new Map<string, Record<string, unknown>>();

  add(line: string): Record<string, unknown> {
    const entry = readEntry(line);
    const name = String(entry.msg);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    if (entry.level === 'error' || entry.level === 'fatal') {
      const message = (entry.err as { message?: string } | undefined)?.message ?? '';
      const title = `${name} ${entry.route ?? ''} ${message.slice(0, 120)}`;
      if (this.defects.size < 50 && !this.defects.has(title)) this.defects.set(title, entry);
    }
    return entry;
  }
}

function addressesOf(
  child: ChildProcess,
  log: Log,
  exited: Promise<number | null>,
): Promise<[service: string, inspector: string]> {
  const listening = new Promise<string>((found) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const entry = log.add(line);
      if (entry.msg === 'listening') found(String(entry.url));
    });
  });
  const inspected = new Promise<string>((found) => {
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const url = /ws:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) found(url);
      else if (!/^(For help|Debugger )/.test(line)) console.error(line);
    });
  });
  const failed = new Promise<never>((_found, reject) => {
    const timer = setTimeout(() => reject(new Error('The service did not start in time.')), START_MS);
    void exited.then((code) => reject(new Error(`The service ended with ${code}.`)));
    void listening.then(() => clearTimeout(timer));
  });
  return Promise.race([Promise.all([listening, inspected]), failed]);
}

/** The headers of a new session of the owner. Wrong passwords in requests count as failed sign-ins, so they are deleted first. */
export async function signIn(url: string, database: pg.ClientConfig): Promise<Record<string, string>> {
  const client = new pg.Client(database);
  await client.connect();
  await client.query('DELETE FROM sign_in_failures').finally(() => client.end());
  const answer = await fetch(`${url}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  if (!answer.ok) throw new Error(`The owner can't sign in: ${answer.status} ${await answer.text()}`);
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';', 1);
  return { cookie, 'x-csrf-token': csrf };
}
