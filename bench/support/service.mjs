import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { v7 as uuid7 } from 'uuid';
import { generateApiKey } from '../../dist/src/core/access/api-key-format.js';
import { apiKeyScopes } from '../../dist/src/core/access/scopes.js';
import { findRunningEmbedded } from '../../dist/src/store/embedded/start.js';

const PROGRAM = fileURLToPath(new URL('../../bin/trunkline.mjs', import.meta.url));
const START_LIMIT_MS = 60_000;
const POLL_MS = 10;

/** Creates a temporary folder for `work`. */
export async function withDataDir(work) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-bench-'));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Starts the service as an operator does, with its own key: on the embedded database in `dataDir`, or on the servers in `env`.
 */
export async function startService(
  dataDir,
  { key = generateApiKey('live').key, nodeArgs = [], env = {} } = {},
) {
  const logFile = join(dataDir, 'service.log');
  const log = await open(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, PROGRAM, 'start'], {
    stdio: ['ignore', log.fd, log.fd],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      TRUNKLINE_BOOTSTRAP_EMAIL: 'bench@example.com',
      TRUNKLINE_BOOTSTRAP_PASSWORD: 'only for benchmarks',
      TRUNKLINE_BOOTSTRAP_API_KEY: key,
      ...env,
    },
  });
  // An aborted benchmark leaves no service running.
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const url = await waitForAddress(child, logFile);
  const readyMs = performance.now() - startedAt;
  await log.close();
  return {
    url,
    key,
    readyMs,
    pid: child.pid,
    call: (method, path, body) => call(url, key, method, path, body),
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Creates another workspace with a key for everything. */
export async function makeWorkspace(service, source, n) {
  const [workspaceId, userId] = [uuid7(), uuid7()];
  const { key, hash, hint } = generateApiKey('live');
  await source.query(`INSERT INTO workspaces (id, name) VALUES ($1, $2)`, [workspaceId, `Bench ${n}`]);
  await source.query(
    `INSERT INTO users (id, workspace_id, kind, role, username, display_name) VALUES ($1, $2, 'member', 'owner', 'bench', 'Bench')`,
    [userId, workspaceId],
  );
  await makeKey(source, { workspaceId, userId, hash, hint });
  return {
    workspaceId,
    userId,
    key,
    call: (method, path, body) => call(service.url, key, method, path, body),
  };
}

/** Creates a key with every scope and without limit, as the command line does. */
export async function makeKey(source, { workspaceId, userId, hash, hint }) {
  await source.query(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, ip_allowlist, hash, hint)
     VALUES ($1, $2, $3, 'Bench', 'live', $4, 0, '{}', $5, $6)`,
    [uuid7(), workspaceId, userId, apiKeyScopes, hash, hint],
  );
}

/** Resolves when /readyz answers 200. The log contains the port. */
async function waitForAddress(child, logFile) {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const log = await readFile(logFile, 'utf8');
    const port = /"url":"http:\/\/localhost:(\d+)"/.exec(log)?.[1];
    const url = `http://127.0.0.1:${port}`;
    if (port !== undefined && (await fetch(`${url}/readyz`)).ok) return url;
    await sleep(POLL_MS);
  }
  child.kill('SIGTERM');
  throw new Error(`The service did not start:\n${await readFile(logFile, 'utf8')}`);
}

async function call(url, key, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The settings for connections to the embedded PostgreSQL of the service. */
export async function databaseOf(dataDir) {
  const connection = await findRunningEmbedded(dataDir);
  if (connection === undefined) throw new Error('The embedded database is not running.');
  return connection;
}

/**
 * Waits until all committed work is done, so that a round does not affect the next. `servers` are the database and queue of a
 * service without the embedded ones.
 */
export async function settled(dataDir, servers) {
  const client = new pg.Client(servers?.database ?? (await databaseOf(dataDir)));
  await client.connect();
  const count = async (rows) => Number((await client.query(`SELECT count(*) FROM ${rows}`)).rows[0].count);
  const jobs = servers?.unfinished ?? (() => count(`bullmq.job WHERE state IN ('waiting', 'active')`));
  try {
    while ((await count('outbox WHERE run_at IS NULL')) + (await jobs()) > 0) await sleep(5 * POLL_MS);
  } finally {
    await client.end();
  }
}
