import { appendFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';

const STDOUT = 1;

export type WriteLine = (level: 'warn' | 'error', fields: object, msg: string) => void;

/**
 * Writes log lines directly to the log while the main thread cannot, in the format of all other lines: to `logFile`, or to
 * standard output. `role` contains the roles of the service.
 */
export function lineWriter(role: string, logFile: string | undefined): WriteLine {
  const base = { pid: process.pid, host: hostname(), role };
  return (level, fields, msg) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), ...base, ...fields, msg })}\n`, logFile);
}

function write(line: string, logFile: string | undefined): void {
  try {
    if (logFile === undefined) writeSync(STDOUT, line);
    else appendFileSync(logFile, line, { mode: 0o600 });
  } catch (error) {
    // The pipe is full or closed, or the disk is full. There is no other place to write to.
    if (!['EAGAIN', 'EPIPE', 'ENOSPC'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
