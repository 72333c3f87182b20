import type { TestProject } from 'vitest/node';
import { ensureTemplate, startTestServer, type TestServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the test server's socket; absent in projects without global-postgres. */
    postgresHost: string | undefined;
  }
}

interface Shared {
  users: number;
  server: Promise<TestServer>;
}

// Each project of a run loads this module separately in the same process, so they share the server through the global object.
const KEY = Symbol.for('trunkline.test.postgres');
const shelf = globalThis as unknown as Record<symbol, Shared | undefined>;

/** A vitest globalSetup: one PostgreSQL server with a migrated template for all test files of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = shelf[KEY] ?? { users: 0, server: startWithTemplate() };
  shelf[KEY] = shared;
  shared.users += 1;
  project.provide('postgresHost', (await shared.server).host);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    shelf[KEY] = undefined;
    await (await shared.server).stop();
  };
}

/** The server of this run. */
export async function sharedPostgres(): Promise<TestServer> {
  const shared = shelf[KEY];
  if (shared === undefined) throw new Error('global-postgres must be a globalSetup before this one.');
  return shared.server;
}

async function startWithTemplate(): Promise<TestServer> {
  const server = await startTestServer();
  try {
    await ensureTemplate(server.host);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
