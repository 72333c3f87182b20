import { spawnSync } from 'node:child_process';
import { serverEnvironment } from './server-environment.js';

/** With SCHED_BATCH a process that is woken up does not interrupt the one that runs; its share of the processors stays the same. */
const COMMAND = 'chrt';
const AS_BATCH = ['--batch', '0'];

/**
 * The words before a server's command line so that it does not interrupt this process, none where the system has no such thing.
 * This process has one thread that all messages go through: each answer that woke the database up put it aside for a moment.
 */
export function unobtrusively(): readonly string[] {
  return spawnSync(COMMAND, [...AS_BATCH, 'true'], { env: serverEnvironment }).status === 0
    ? [COMMAND, ...AS_BATCH]
    : [];
}
