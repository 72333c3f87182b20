import pg, { type Pool, type PoolClient } from 'pg';
import type { TestDatabase } from './postgres.js';
import { adminOf } from './postgres-server.js';

const REMOVED = ['Rows Removed by Filter', 'Rows Removed by Index Recheck'] as const;

interface Node {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

/** The auto_explain output of one statement, including those within functions. */
export interface Plan {
  readonly 'Query Text': string;
  readonly Plan: Node;
  /** Settings that differ from the server's defaults. */
  readonly Settings?: Readonly<Record<string, string>>;
  /** Only if the statement was compiled. */
  readonly JIT?: object;
}

const SETTINGS: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_settings': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Makes the server report the plans of all statements to each session that begins later. */
export async function planReader(database: TestDatabase): Promise<{ of(pool: Pool): Plan[] }> {
  const { host, database: name } = database.connection;
  const admin = new pg.Client(adminOf(String(host)));
  await admin.connect();
  for (const [setting, value] of Object.entries(SETTINGS))
    await admin.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await admin.end();
  return {
    of: (pool) => {
      const plans: Plan[] = [];
      const heard = new WeakSet<PoolClient>();
      pool.on('acquire', (client) => {
        if (heard.has(client)) return;
        heard.add(client);
        client.on('notice', ({ message = '' }) => {
          if (/^duration: .* plan:/.test(message))
            plans.push(JSON.parse(message.slice(message.indexOf('{'))) as Plan);
        });
      });
      return plans;
    },
  };
}

/** Rows that the scans of a statement read, including those that it filtered out. */
export function rowsRead({ Plan: root }: Plan): number {
  const of = (node: Node): number => {
    const each = node['Actual Rows'] + REMOVED.reduce((sum, name) => sum + (node[name] ?? 0), 0);
    const own = /Scan$/.test(node['Node Type']) ? each * node['Actual Loops'] : 0;
    return (node.Plans ?? []).map(of).reduce((sum, rows) => sum + rows, own);
  };
  return of(root);
}
