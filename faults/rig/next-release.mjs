import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCHEMA = 'dist/src/store/schema';
const FUNCTIONS = 'dist/src/store/functions';

/** What a release may do to tables that the one before reads and writes meanwhile. */
const ADDED = ['messages', 'deliveries', 'links', 'envelopes', 'connections', 'conversations', 'events'];

/** The function that the next release adds. Every message that is accepted calls it, so its absence would show. */
const NEW_FUNCTION = `-- The release that accepts messages.
--
-- Returns: string
CREATE OR REPLACE FUNCTION accepting_release() RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'next' $$;
`;
const CHANGED = join(FUNCTIONS, 'messages/accept_messages.sql');

/**
 * The release after this one, as a tree of its own in `folder`: this build with one more schema file, which gives the busiest tables
 * a column that the former release does not know, with one more function, and with a changed one that calls it. Resolves with its
 * program and the schema that it brings.
 */
export async function makeNextRelease(folder) {
  await mkdir(folder, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const known = (await readdir(join(folder, SCHEMA))).length;
  const columns = ADDED.map((table) => `ALTER TABLE ${table} ADD COLUMN of_next_release text DEFAULT 'new';`);
  const lines = ['-- A column of the next release.', `-- Works from: ${number(known)}`, ...columns];
  await writeFile(join(folder, SCHEMA, `${number(known + 1)}_next_release.sql`), `${lines.join('\n')}\n`);
  await writeFile(join(folder, FUNCTIONS, 'messages/accepting_release.sql'), NEW_FUNCTION);
  await callFromAcceptance(join(folder, CHANGED));
  return { program: join(folder, 'bin', 'trunkline.mjs'), known, schema: known + 1 };
}

/** The first statement of accept_messages becomes a call of the new function. */
async function callFromAcceptance(file) {
  const sql = await readFile(file, 'utf8');
  const start = sql.indexOf('CREATE OR REPLACE FUNCTION accept_messages(');
  const begin = sql.indexOf('\nBEGIN\n', start) + '\nBEGIN\n'.length;
  if (start < 0 || begin < start)
    throw new Error('accept_messages has changed: say how the next release changes it.');
  await writeFile(file, `${sql.slice(0, begin)}  PERFORM accepting_release();\n${sql.slice(begin)}`);
}

function number(version) {
  return String(version).padStart(4, '0');
}
