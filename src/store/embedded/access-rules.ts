import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { connectClient } from '../connection/client.js';
import { EmbeddedDatabaseError } from '../errors.js';
import { ADMIN_ROLE } from './cluster.js';
import { asksForPassword } from './probe.js';

/** Start of the name of an access rules file. The id of the process whose server reads the file follows. */
const RULES = 'pg_hba.conf.';
/** The access rules file of earlier versions. */
const FORMER_FILE = 'pg_hba.conf';
const RELOAD_LIMIT_MS = 10_000;
const RELOAD_POLL_MS = 10;

/**
 * How a client of the server authenticates. Outside of tests, `trust` is used only while the password is being set, behind the
 * private socket.
 */
type Method = 'trust' | 'scram-sha-256';

/**
 * The access rules file of the server that this process starts in `root`. The server reads it at its start and on reload. Each
 * process has its own file: when two processes start at once, the one that fails must not change the rules of the other.
 */
export function rulesFile(root: string): string {
  return join(root, `${RULES}${process.pid}`);
}

/**
 * Removes the access rules of earlier servers. Call it once this process's server is up, because no other server can start then.
 */
export async function removeFormerRules(root: string): Promise<void> {
  const own = basename(rulesFile(root));
  const former = (await readdir(root)).filter(
    (name) => (name === FORMER_FILE || name.startsWith(RULES)) && name !== own,
  );
  for (const name of former) await rm(join(root, name), { force: true });
}

export async function writeRules(root: string, method: Method): Promise<void> {
  await writeFile(rulesFile(root), `# Written at each start of Trunkline.\nlocal all all ${method}\n`, {
    mode: 0o644,
  });
}

/** Sets the password of `admin` for the superuser of a running server, and requires passwords from then on. */
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
