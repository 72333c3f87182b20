import { readFile } from 'node:fs/promises';

/** The resident memory of a process. */
export async function residentMebibytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)[1]) / 1024;
}
