import { writeSync } from 'node:fs';

/** Writes a log line although the process can't: straight to stdout, in the form of all other lines. */
export function writeLine(level: 'warn' | 'error', fields: object, msg: string): void {
  const line = `${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`;
  try {
    writeSync(1, line);
  } catch (error) {
    // A pipe that is full, or closed. There is no other place to write to.
    if (!['EAGAIN', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
