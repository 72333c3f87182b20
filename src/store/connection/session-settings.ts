import type pg from 'pg';

/** Settings of a session by name, as `SET` takes them. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Determines the settings of a session. Part of the configuration of every connection. */
export interface SessionConfig {
  /** Settings in addition to those that every session has. */
  readonly settings?: SessionSettings;
  /** Default: everything that a PostgreSQL server on Linux supports. */
  readonly support?: SettingsSupport;
}

/** Which settings a server, or the pooler in front of it, accepts from a client, and how they are sent. */
export interface SettingsSupport {
  /**
   * `startup`: in the start-up packet, without a round trip. `statement`: by a statement after it, because a pooler refuses
   * settings in the packet.
   */
  readonly sentBy: 'startup' | 'statement';
  /** Whether the server can detect that the client of a running statement is gone. */
  readonly checksClients: boolean;
}

const FULL_SUPPORT: SettingsSupport = { sentBy: 'startup', checksClients: true };

/** A setting without meaning for the server. It shows that the settings of a session arrived. */
export const MARK = 'trunkline.session';

/** How soon the server ends a statement whose client is gone. */
const CLIENT_CHECK: SessionSettings = { client_connection_check_interval: '5000' };

/**
 * A statement that takes longer is a defect, and it blocks work that waits for its rows. Migrations and exports may take longer.
 */
const STATEMENT_LIMIT_MS = 300_000;

const COMMON: SessionSettings = {
  [MARK]: '1',
  statement_timeout: String(STATEMENT_LIMIT_MS),
  // Statements take milliseconds. Before PostgreSQL 18, a disabled plan costs 1e10, which exceeds `jit_above_cost`. The server
  // then spent more time on compiling a statement than on running it.
  jit: 'off',
  // By default, it takes two hours to detect that the machine of a client vanished. This has no effect on Unix sockets.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/** A driver's configuration whose sessions have the common settings and those of `config`. */
export function withSettings<Config extends pg.PoolConfig & SessionConfig>(
  config: Config,
): Omit<Config, keyof SessionConfig> {
  const { settings: _, support = FULL_SUPPORT, ...driver } = config;
  if (support.sentBy === 'statement') {
    return { ...driver, onConnect: (client: pg.ClientBase) => sendSettings(client, config) };
  }
  const options = settingsOf(config).map(([name, value]) => `-c ${name}=${escapeBlanks(value)}`);
  if (driver.options) options.push(driver.options);
  return { ...driver, options: options.join(' ') };
}

/** Sends the settings to an open session, where the start-up packet could not. */
export async function sendSettings(client: pg.ClientBase, config: SessionConfig): Promise<void> {
  const settings = settingsOf(config);
  const calls = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  await client.query(`SELECT ${calls.join(', ')}`, settings.flat());
}

function settingsOf({ settings, support = FULL_SUPPORT }: SessionConfig): [string, string][] {
  return Object.entries({ ...COMMON, ...(support.checksClients && CLIENT_CHECK), ...settings });
}

// In the packet, a blank ends a value, and a backslash escapes the next character.
function escapeBlanks(value: string): string {
  return value.replace(/[\\\s]/g, '\\$&');
}
