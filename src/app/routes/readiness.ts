import { statfs } from 'node:fs/promises';
import type { Unready } from '../../core/common/errors.js';

const MIB = 2 ** 20;
/** Minimum free space. With less, an upload or the next WAL segment of the embedded database may not fit. */
const MIN_FREE_BYTES = 64 * MIB;

interface FileSystem {
  readonly bavail: number;
  readonly bsize: number;
  /** Total number of files. File systems without such a limit report 0 for `files` and `ffree`. */
  readonly files: number;
  readonly ffree: number;
}

/** Checks the database and the disk of DATA_DIR. Undefined when both are healthy. */
export async function readiness(
  ping: () => Promise<unknown>,
  dataDir: string,
  space: (path: string) => Promise<FileSystem> = statfs,
): Promise<Unready | undefined> {
  const problems = await Promise.all([
    ping().then(
      () => undefined,
      () => 'The database does not answer.',
    ),
    space(dataDir).then(lackOfSpace, () => 'DATA_DIR cannot be read.'),
  ]);
  const message = problems.find((problem) => problem !== undefined);
  return message === undefined ? undefined : { reason: 'database', message };
}

function lackOfSpace({ bavail, bsize, files, ffree }: FileSystem): string | undefined {
  if (files > 0 && ffree === 0) return 'The disk of DATA_DIR has no room for another file.';
  if (bavail * bsize >= MIN_FREE_BYTES) return undefined;
  const free = Math.floor((bavail * bsize) / MIB);
  return `The disk of DATA_DIR is nearly full: ${free} MiB are free, ${MIN_FREE_BYTES / MIB} MiB are needed.`;
}
