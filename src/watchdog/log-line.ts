import { writeSync } from 'node:fs';
import { hostname } from 'node:os';

export type WriteLine = (level: 'warn' | 'error', fields: object, msg: string) => void;

/**
 * Writes log lines directly to stdout while the main thread cannot, in the format of all other lines. `role` contains the
 * roles of the service.
 */
export function lineWriter(role: string): WriteLine {
  const base = { pid: process.pid, host: hostname(), role };
  return (level, fields, msg) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), ...base, ...fields, msg })}\n`);
}

function write(line: string): void {
  try {
    writeSync(1, line);
  } catch (error) {
    // The pipe is full or closed. There is no other place to write to.
    if (!['EAGAIN', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
