import { statfs } from 'node:fs/promises';
import type { UnavailableReason } from './core/errors.js';

/** With less than that free, files of messages and the embedded database can't be written. */
const LEAST_FREE_BYTES = 16 * 2 ** 20;

type Space = () => Promise<{ readonly bavail: number; readonly bsize: number }>;

/** Why the service cannot take requests: its database does not answer, or the disk of its data is full. */
export async function readiness(
  ping: () => Promise<unknown>,
  dataDir: string,
  space: Space = () => statfs(dataDir),
): Promise<UnavailableReason | undefined> {
  try {
    const [{ bavail, bsize }] = await Promise.all([space(), ping()]);
    return bavail * bsize < LEAST_FREE_BYTES ? 'database' : undefined;
  } catch {
    return 'database';
  }
}
