import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MIGRATIONS = 'dist/src/store/migrations';

/** What a release may do to tables that the one before reads and writes meanwhile. */
const ADDED = ['messages', 'deliveries', 'links', 'envelopes', 'connections', 'conversations', 'events'];

/**
 * The release after this one, as a tree of its own in `folder`: this build with one more migration, which gives the busiest tables
 * a column that nobody of before knows. Resolves with its program and the schema that it brings.
 */
export async function makeNextRelease(folder) {
  await mkdir(folder, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const known = (await readdir(join(folder, MIGRATIONS))).length;
  const columns = ADDED.map((table) => `ALTER TABLE ${table} ADD COLUMN of_next_release text DEFAULT 'new';`);
  const lines = ['-- A column of the next release.', `-- Works from: ${number(known)}`, ...columns];
  await writeFile(join(folder, MIGRATIONS, `${number(known + 1)}_next_release.sql`), `${lines.join('\n')}\n`);
  return { program: join(folder, 'bin', 'trunkline.mjs'), known, schema: known + 1 };
}

function number(version) {
  return String(version).padStart(4, '0');
}
