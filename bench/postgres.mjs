import { existsSync } from 'node:fs';
import { broadcastOn } from './broadcast.mjs';
import { messages } from './messages.mjs';
import { relay } from './relay.mjs';
import { withServers } from './support/servers.mjs';

/** The oldest supported version, from Debian's packages, and the newest, which npm installs. */
const VERSIONS = [
  { version: 15, bin: '/usr/lib/postgresql/15/bin' },
  { version: 18, bin: undefined },
];
const ROUNDS = 3;
const MEASUREMENTS = [
  (servers) => messages({ rounds: ROUNDS, servers }),
  (servers) => relay({ servers }),
  async (servers) => [await broadcastOn(servers)],
];

/** Accepting, relaying and broadcasting on the oldest and the newest supported PostgreSQL, with the same settings. */
export async function postgres() {
  const lines = [];
  for (const { version, bin } of VERSIONS) {
    if (bin !== undefined && !existsSync(bin)) throw new Error(`PostgreSQL ${version} is not in ${bin}.`);
    const measured = [];
    // A database belongs to one installation and its master key, so each measurement gets a server of its own.
    for (const measure of MEASUREMENTS)
      measured.push(...(await withServers(measure, { bin, withRedis: false })));
    lines.push(...measured.map((line) => ({ ...line, what: `PostgreSQL ${version}: ${line.what}` })));
  }
  return lines;
}
