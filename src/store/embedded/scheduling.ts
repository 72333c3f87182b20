import { spawnSync } from 'node:child_process';
import { serverEnvironment } from './server-environment.js';

/**
 * With SCHED_BATCH, a process that wakes up does not interrupt the running process. Its share of the processors stays the same.
 */
const COMMAND = 'chrt';
const AS_BATCH = ['--batch', '0'];

/**
 * The words before a server's command line that keep the server from interrupting this process. `prefix` starts the server as its
 * user.
 *
 * The result is empty where the system does not have or allow this: a process of the SCHED_IDLE class can't leave it without
 * privileges. All messages go through one thread of this process. Without this setting, each call that woke up the database
 * interrupted it.
 */
export function unobtrusively(prefix: readonly string[]): readonly string[] {
  const [command = COMMAND, ...rest] = [...prefix, COMMAND, ...AS_BATCH, 'true'];
  return spawnSync(command, rest, { env: serverEnvironment }).status === 0 ? [COMMAND, ...AS_BATCH] : [];
}
