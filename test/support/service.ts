import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { ApiClient } from './api-client.js';
import { loadDescriptions } from './api-description.js';
import { KeyMaker, type KeyOptions } from './keys.js';
import { testDatabase } from './postgres.js';
import {
  listening,
  OWNER_EMAIL,
  OWNER_PASSWORD,
  PROGRAM,
  serviceEnvironment,
  startProgram,
} from './service-process.js';

const run = promisify(execFile);

export interface ServiceOptions {
  /** Environment variables in addition to those of the helper. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the bootstrapped key acts in the test workspace. */
  readonly test?: boolean;
  /** Whether it runs with simulators. */
  readonly simulators?: boolean;
  /** A folder that outlives the service, so that another service can use it. */
  readonly dataDir?: string;
  readonly key?: string;
  /** The listening port, if it differs from that of the public address. */
  readonly port?: number;
}

/** The real service process, with a separate database in the run's server, or with an embedded one if a folder is given. */
export interface Service {
  readonly url: string;
  readonly dataDir: string;
  /** The bootstrapped key: every scope, no rate limit. */
  readonly key: string;
  readonly process: ChildProcess;
  /** Its log so far, parsed. */
  readonly log: Record<string, unknown>[];
  /** Creates a key of the owner. */
  createKey(options?: KeyOptions): Promise<string>;
  /** Runs a command of the program while the service runs. Resolves with its output. */
  run(...args: string[]): Promise<string>;
  /** A client that checks each response against the contract's general rules and the served description. */
  client(key?: string): ApiClient;
  /** Sends SIGTERM. Resolves with the exit code, and removes the data unless the folder was given. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. The data stays if the folder or the database was given. */
  kill(): Promise<void>;
}

/** Runs a command of the program. Resolves with its output. */
export async function runCommand(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env });
  return stdout.trim();
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trunkline-e2e-')));
  const key = options.key ?? generateApiKey(options.test ? 'test' : 'live').key;
  const { port } = options;
  // A PostgreSQL server for each test file would take longer to start than most of them run.
  const shared = options.dataDir === undefined && options.env?.DATABASE_URL === undefined;
  const database = shared ? await testDatabase() : undefined;
  const env = serviceEnvironment(dataDir, key, {
    ...(port && { PORT: String(port) }),
    ...(database && { DATABASE_URL: database.url }),
    ...options.env,
  });
  const { child, exited } = startProgram(env, ...(options.simulators ? ['--simulators'] : []));
  const log: Record<string, unknown>[] = [];
  const publicUrl = await listening(child, log, exited);
  const url = port === undefined ? publicUrl : `http://127.0.0.1:${port}`;
  // Only a process that serves the interface has a description.
  const roles = options.env?.TRUNKLINE_ROLES ?? 'api';
  const descriptions = roles.includes('api') ? await loadDescriptions(url) : {};
  const keys = new KeyMaker(url, { email: OWNER_EMAIL, password: OWNER_PASSWORD });
  let removed: Promise<void> | undefined;
  const remove = async () => {
    await database?.drop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const removeOnce = () => {
    removed ??= remove();
    return removed;
  };
  return {
    url,
    dataDir,
    key,
    process: child,
    log,
    createKey: (wanted) => keys.make(wanted),
    run: (...args) => runCommand(env, args),
    client: (own = key) => new ApiClient(url, own, descriptions),
    stop: async () => {
      child.kill('SIGTERM');
      const code = await exited;
      await removeOnce();
      return code;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      await removeOnce();
    },
  };
}
