import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { connectClient } from '../connection/client.js';
import { EmbeddedDatabaseError } from '../errors.js';
import { ADMIN_ROLE } from './cluster.js';
import { asksForPassword } from './probe.js';

const FILE = 'pg_hba.conf';
const RELOAD_LIMIT_MS = 10_000;
const RELOAD_POLL_MS = 10;

/** How a client of the server proves who it is. `trust` only while the password is being set, behind the private socket. */
type Method = 'trust' | 'scram-sha-256';

/** Where the rules of the cluster in `root` are; the server reads them at its start and on reload. */
export function rulesFile(root: string): string {
  return join(root, FILE);
}

export async function writeRules(root: string, method: Method): Promise<void> {
  await writeFile(rulesFile(root), `# Written at each start of Trunkline.\nlocal all all ${method}\n`, {
    mode: 0o644,
  });
}

/** Gives the superuser of a running server the password of `admin`, and requires one from then on. */
export async function requirePassword(root: string, admin: ClientConfig): Promise<void> {
  const client = await connectClient(admin);
  try {
    await client.query(`ALTER ROLE ${ADMIN_ROLE} PASSWORD ${client.escapeLiteral(String(admin.password))}`);
    await writeRules(root, 'scram-sha-256');
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
  const deadline = performance.now() + RELOAD_LIMIT_MS;
  while (!(await asksForPassword(String(admin.host)))) {
    if (performance.now() > deadline)
      throw new EmbeddedDatabaseError('The embedded database did not take its access rules.');
    await sleep(RELOAD_POLL_MS);
  }
}
