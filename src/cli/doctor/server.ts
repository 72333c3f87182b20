import { connectionsOfProcess } from '../../app/inspection.js';
import type { Config } from '../../config.js';
import { readServerFacts, readTime, type ServerFacts } from '../../store/inspection/server-facts.js';
import type { Pool } from './database.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NEWEST_TESTED = 18;
/** The longest statements of the service take up to five minutes. */
const MIN_TRANSACTION_MS = 300_000;
const CLOCK_WARNING_MS = 1_000;
const CLOCK_PROBLEM_MS = 30_000;

/** Checks the version, durability settings and time limits of the PostgreSQL server. */
export async function checkServer(pool: Pool): Promise<Finding[]> {
  const facts = await readServerFacts(pool);
  return [versionOf(facts), ...durabilityOf(facts), ...timeoutsOf(facts)];
}

function versionOf({ version, version_text: text, in_recovery: isReplica, encoding }: ServerFacts): Finding {
  const name = 'PostgreSQL';
  const major = Math.floor(version / 10_000);
  if (isReplica)
    return problem(
      name,
      'The server is a replica and takes no writes.',
      'Set DATABASE_URL to the primary server.',
    );
  if (encoding !== 'UTF8')
    return problem(
      name,
      `The database has the encoding ${encoding}.`,
      'Create a database with ENCODING UTF8 and set DATABASE_URL to it.',
    );
  if (major > NEWEST_TESTED)
    return warning(
      name,
      `PostgreSQL ${text} is newer than the newest tested version, ${NEWEST_TESTED}.`,
      'Use PostgreSQL 15 to 18, or watch the log after the start.',
    );
  return ok(name, `PostgreSQL ${text} answers.`);
}

function durabilityOf(facts: ServerFacts): Finding[] {
  const name = 'Durability';
  const { fsync, full_page_writes: pages, synchronous_commit: commit, autovacuum } = facts;
  const found: Finding[] = [];
  if (fsync !== 'on')
    found.push(
      problem(
        name,
        'fsync is off: a crash of the machine can destroy the database.',
        'Set fsync = on in postgresql.conf.',
      ),
    );
  if (pages !== 'on')
    found.push(
      warning(
        name,
        'full_page_writes is off: a crash can tear pages, unless the file system writes them whole.',
        'Set full_page_writes = on, except on ZFS and the like.',
      ),
    );
  if (commit === 'off' || commit === 'local')
    found.push(
      problem(
        name,
        `synchronous_commit is ${commit} in the sessions of the service: a 201 does not mean that the message is on disk.`,
        'Connect directly, or through a pooler that keeps the settings of its sessions.',
      ),
    );
  if (autovacuum !== 'on')
    found.push(
      warning(
        name,
        'autovacuum is off: the tables of the queue grow without end.',
        'Set autovacuum = on in postgresql.conf.',
      ),
    );
  return found.length > 0 ? found : [ok(name, 'fsync, full_page_writes and autovacuum are on.')];
}

function timeoutsOf({ idle_session_timeout: idle, transaction_timeout: longest }: ServerFacts): Finding[] {
  const name = 'Time limits';
  const found: Finding[] = [];
  // Idle connections are kept for ten minutes, and the connection that listens is idle most of the time.
  if (idle > 0)
    found.push(
      warning(
        name,
        `idle_session_timeout is ${idle} ms: the server ends idle connections, also the one that listens.`,
        'Set idle_session_timeout = 0 for this user: ALTER ROLE <user> SET idle_session_timeout = 0.',
      ),
    );
  if (longest > 0 && longest < MIN_TRANSACTION_MS)
    found.push(
      warning(
        name,
        `transaction_timeout is ${longest} ms: an upgrade of the tables can take longer.`,
        'Set transaction_timeout = 0 for this user: ALTER ROLE <user> SET transaction_timeout = 0.',
      ),
    );
  return found.length > 0 ? found : [ok(name, 'The server ends no session of the service too early.')];
}

/** Checks whether the server has room for the connection pools of a process. */
export async function checkConnections(pool: Pool, config: Config): Promise<Finding[]> {
  const name = 'Connections';
  const needed = connectionsOfProcess(config);
  const { usable_connections: usable, taken, own_limit: limit } = await readServerFacts(pool);
  if (limit !== null && limit < needed)
    return [
      problem(
        name,
        `The user or the database is limited to ${limit} connections. One process opens up to ${needed}.`,
        `Raise the limit: ALTER ROLE <user> CONNECTION LIMIT ${2 * needed}, or ALTER DATABASE in the same way.`,
      ),
    ];
  if (usable < needed)
    return [
      problem(
        name,
        `The server allows ${usable} connections. One process opens up to ${needed}.`,
        `Set max_connections to at least ${needed + 20} for each process.`,
      ),
    ];
  if (taken > 0.9 * usable)
    return [
      warning(
        name,
        `${taken} of ${usable} connections are taken.`,
        'Raise max_connections, or find out who holds them in pg_stat_activity.',
      ),
    ];
  return [
    ok(
      name,
      `One process opens up to ${needed} connections; ${taken} of ${usable} are taken by all clients.`,
    ),
  ];
}

/** Checks the difference between the clocks of this machine and the database. */
export async function checkClock(pool: Pool): Promise<Finding[]> {
  const name = 'Clock';
  // The first statement also opens the connection, which would distort the measurement.
  await readTime(pool);
  const before = Date.now();
  const theirs = await readTime(pool);
  const after = Date.now();
  const off = theirs < before ? before - theirs : Math.max(0, theirs - after);
  if (off <= CLOCK_WARNING_MS) return [ok(name, 'This machine and the database agree within a second.')];
  const seconds = (off / 1_000).toFixed(1);
  const found = `The clocks of this machine and of the database differ by ${seconds} s.`;
  const fix = 'Run an NTP client such as chrony or systemd-timesyncd on both machines.';
  return [off > CLOCK_PROBLEM_MS ? problem(name, found, fix) : warning(name, found, fix)];
}
