import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { resultChecks } from './service-checks.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
export const PROGRAM = join(REPOSITORY, 'bin', 'trunkline.mjs');

export const OWNER_EMAIL = 'owner@example.test';
export const OWNER_PASSWORD = 'correct horse battery';

/** Starts only the process, which may never listen. It checks the results of its database functions. */
export function startProgram(env: NodeJS.ProcessEnv, ...args: string[]) {
  const checks = resultChecks();
  const child = spawn(process.execPath, [...checks.flags, PROGRAM, 'start', ...args], {
    cwd: REPOSITORY,
    env: { ...env, ...checks.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr, { end: false });
  return { child, exited: once(child, 'close').then(([code]) => code as number | null) };
}

/** The environment of a service that stores its data in `dataDir` and bootstraps `key`. */
export function serviceEnvironment(
  dataDir: string,
  key: string,
  more: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG } = process.env;
  return {
    PATH,
    HOME,
    LANG,
    DATA_DIR: dataDir,
    PORT: '0',
    DRAIN_NOTICE_SECONDS: '0',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    TRUNKLINE_BOOTSTRAP_EMAIL: OWNER_EMAIL,
    TRUNKLINE_BOOTSTRAP_PASSWORD: OWNER_PASSWORD,
    TRUNKLINE_BOOTSTRAP_API_KEY: key,
    ...more,
  };
}

/** Resolves with the address that the service reports. */
export function listening(
  child: ChildProcess,
  log: Record<string, unknown>[],
  exited: Promise<number | null>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('The output of the service is not piped.');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry.msg === 'listening') resolve(String(entry.url));
    });
    let errors = '';
    child.stderr?.on('data', (data) => {
      errors = `${errors}${data}`.slice(-2_000);
    });
    void exited.then((code) =>
      reject(
        new Error(`The service ended with ${code}; it said: ${JSON.stringify(log.slice(-3))} ${errors}`),
      ),
    );
  });
}
