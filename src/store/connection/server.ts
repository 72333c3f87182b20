import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { Log } from '../../core/common/log.js';
import { DatabaseUnreachableError, DatabaseUnsupportedError } from '../errors.js';
import { connectClient } from './client.js';
import { MARK, type SessionConfig, type SettingsSupport } from './session-settings.js';

export const CONNECT_LIMIT_MS = 5_000;
/** How long to wait for a server that reports that it is starting up. */
const STARTUP_LIMIT_MS = 60_000;
const STARTUP_POLL_MS = 200;

/** Major versions of PostgreSQL. Older ones are refused, newer ones are reported. */
const OLDEST_SUPPORTED = 15;
const NEWEST_TESTED = 18;

/** How to open a session on the server of the installation. */
export type ServerConnection = ClientConfig & SessionConfig;

interface Probe {
  version: number;
  /** Whether the session has the settings that were sent. */
  marked: boolean;
}

const PROBE = `SELECT current_setting('server_version_num')::int AS version,
  coalesce(current_setting('${MARK}', true), '') = '1' AS marked`;

/** SQLSTATEs for a start-up packet that a pooler or server does not understand, and for a value that its system can't have. */
const REFUSED_PACKET = new Set(['08P01', '0A000']);
const NOT_A_SETTING = new Set(['22023', '42704']);

const NO_SESSIONS =
  'DATABASE_URL leads to a pooler that does not keep sessions. Set it to session mode, or connect to PostgreSQL directly.';

/**
 * Waits until the server at the address answers, and finds out how its sessions get their settings.
 *
 * Throws DatabaseUnreachableError or DatabaseUnsupportedError. Each message is for the operator and contains no password.
 */
export async function reachServer(databaseUrl: string, log: Log): Promise<ServerConnection> {
  const location = describeLocation(databaseUrl);
  const deadline = performance.now() + STARTUP_LIMIT_MS;
  for (;;) {
    try {
      return await negotiate(addressOf(databaseUrl), location, log);
    } catch (error) {
      if (error instanceof DatabaseUnsupportedError) throw error;
      const { code, message } = error as { code?: string; message: string };
      if (code !== '57P03' || performance.now() > deadline) {
        throw new DatabaseUnreachableError(explain(location, code, message));
      }
      await sleep(STARTUP_POLL_MS);
    }
  }
}

// The options of an address replace all others in the driver, so they are removed from the address and merged with ours.
function addressOf(databaseUrl: string): ClientConfig {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options');
  if (options === null) return { connectionString: databaseUrl };
  url.searchParams.delete('options');
  return { connectionString: url.href, options };
}

async function negotiate(address: ClientConfig, location: string, log: Log): Promise<ServerConnection> {
  const { support, version } = await findSupport(address);
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_SUPPORTED) {
    throw new DatabaseUnsupportedError(
      `The server at ${location} is PostgreSQL ${major}. Trunkline needs PostgreSQL ${OLDEST_SUPPORTED} or newer. ` +
        'Upgrade the server, or set DATABASE_URL to another one.',
    );
  }
  if (major > NEWEST_TESTED) log.warn({ version: major, tested: NEWEST_TESTED }, 'database.version_untested');
  if (support.sentBy === 'statement') log.info({}, 'database.options_refused');
  if (!support.checksClients) log.info({}, 'database.client_check_unavailable');
  return { ...address, support };
}

/** Tries the cheapest way first, because most servers accept everything. */
async function findSupport(address: ClientConfig): Promise<{ support: SettingsSupport; version: number }> {
  let support: SettingsSupport = { sentBy: 'startup', checksClients: true };
  for (;;) {
    try {
      const { version, marked } = await probe({ ...address, support });
      if (marked) return { support, version };
      if (support.sentBy === 'statement') throw new DatabaseUnsupportedError(NO_SESSIONS);
      // Some poolers drop the options without an error.
      support = { ...support, sentBy: 'statement' };
    } catch (error) {
      const next = lessThan(support, error as { code?: string; message: string });
      if (next === undefined) throw error;
      support = next;
    }
  }
}

/** The support to try next after a refusal. Undefined when settings are not the reason. */
function lessThan(support: SettingsSupport, { code = '', message }: { code?: string; message: string }) {
  if (
    support.checksClients &&
    NOT_A_SETTING.has(code) &&
    message.includes('client_connection_check_interval')
  )
    return { ...support, checksClients: false };
  if (
    support.sentBy === 'startup' &&
    REFUSED_PACKET.has(code) &&
    /start-?up parameter|options/i.test(message)
  )
    return { ...support, sentBy: 'statement' as const };
  return undefined;
}

async function probe(connection: ServerConnection): Promise<Probe> {
  const client = await connectClient({ ...connection, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  try {
    const { rows } = await client.query<Probe>(PROBE);
    if (rows[0] === undefined) throw new Error('The query of the server settings returned no row.');
    return rows[0];
  } finally {
    await client.end();
  }
}

/** Host, port and database of an address, without its user and password. */
function describeLocation(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new DatabaseUnreachableError(
      'DATABASE_URL is not an address of the form postgres://user:password@host:port/database.',
    );
  }
  const host = url.host || url.searchParams.get('host') || 'localhost';
  return `${host}${url.pathname}`;
}

// The driver's message is not quoted. Only the error code or a fixed text is part of the explanation.
function explain(location: string, code: string | undefined, message: string): string {
  const at = `the database at ${location}`;
  if (code === '28P01' || code === '28000') {
    return `Refused by ${at}: wrong user or password, or not allowed. Correct DATABASE_URL.`;
  }
  if (code === '3D000')
    return `Refused by ${at}: the database does not exist. Create it, or correct DATABASE_URL.`;
  if (code === '53300') return `Refused by ${at}: it has no free connections. Raise its max_connections.`;
  const reason = code ?? (/timeout/i.test(message) ? 'no answer in time' : 'connection failed');
  return `Can't reach ${at} (${reason}). Start PostgreSQL there, or correct DATABASE_URL.`;
}
