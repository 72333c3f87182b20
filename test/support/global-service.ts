import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { sharedPostgres } from './global-postgres.js';
import { addressOf, createDatabase } from './postgres-server.js';
import { PROBLEMS } from './service-checks.js';
import { listening, serviceEnvironment, startProgram } from './service-process.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the shared service. */
    serviceUrl: string;
    /** Its environment, for commands of the program. */
    serviceEnv: Record<string, string | undefined>;
    /** The name of its database. */
    serviceDatabase: string;
    /** The file with its log. */
    serviceLog: string;
  }
}

/** A vitest globalSetup: one service for all test files that need only a workspace of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { host } = await sharedPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'trunkline-shared-'));
  const database = await createDatabase(host);
  const env = serviceEnvironment(dataDir, generateApiKey('live').key, {
    DATABASE_URL: addressOf(host, database),
    STUN_URLS: 'stun:stun.example:3478',
    TURN_URLS: 'turn:turn.example:3478',
    TURN_SECRET: 'north',
  });
  const { child, exited } = startProgram(env);
  const log = join(dataDir, 'service.log');
  child.stdout?.pipe(createWriteStream(log));
  project.provide('serviceProblems', PROBLEMS);
  project.provide('serviceEnv', env);
  project.provide('serviceDatabase', database);
  project.provide('serviceLog', log);
  project.provide('serviceUrl', await listening(child, [], exited));
  return async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
}
