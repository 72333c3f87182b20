import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a live process, its arguments separated by NUL or space; undefined when there is none. */
export function commandLine(pid: number): string | undefined {
  if (process.platform === 'linux') return readProc(pid, 'cmdline') || undefined;
  return ps(pid, 'command');
}

/** The start time of a live process, as an opaque text that distinguishes it from a later process with the same id. */
export function startMark(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  // The second field is the program's name in brackets and may hold spaces; the 22nd is the start time.
  const fields = readProc(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

/** A process, distinguished from a later one with the same id. */
export interface ProcessMark {
  readonly pid: number;
  readonly startMark: string | undefined;
}

export function thisProcess(): ProcessMark {
  return { pid: process.pid, startMark: startMark(process.pid) };
}

export function isRunning(mark: ProcessMark): boolean {
  const present = startMark(mark.pid);
  return present !== undefined && present === mark.startMark;
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}

function ps(pid: number, column: string): string | undefined {
  const result = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}
