import { readFile } from 'node:fs/promises';

/** What a process has in memory right now. */
export async function residentMebibytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)[1]) / 1024;
}
