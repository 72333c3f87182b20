import { spawnSync } from 'node:child_process';
import { serverEnvironment } from './server-environment.js';

/** With SCHED_BATCH a process that is woken up does not interrupt the one that runs; its share of the processors stays the same. */
const COMMAND = 'chrt';
const AS_BATCH = ['--batch', '0'];

/**
 * The words before a server's command line that keep it from interrupting this process, none where the system has no such thing or
 * does not allow it: a process of the SCHED_IDLE class may not leave it without privileges. `prefix` is what starts the server as
 * its user. This process has one thread that all messages go through, and each answer that woke the database up put it aside.
 */
export function unobtrusively(prefix: readonly string[]): readonly string[] {
  const [command = COMMAND, ...rest] = [...prefix, COMMAND, ...AS_BATCH, 'true'];
  return spawnSync(command, rest, { env: serverEnvironment }).status === 0 ? [COMMAND, ...AS_BATCH] : [];
}
