import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCHEMA = 'dist/src/store/schema';
const FUNCTIONS = 'dist/src/store/functions';

/** Tables that get a column while the former release reads and writes them. */
const ADDED = ['messages', 'deliveries', 'links', 'envelopes', 'connections', 'conversations', 'events'];

/** The function that the next release adds. It is called for every accepted message, so a run without it fails. */
const NEW_FUNCTION = `-- The release that accepts messages.
--
-- Returns: string
CREATE OR REPLACE FUNCTION accepting_release() RETURNS text LANGUAGE sql STABLE AS $$ SELECT 'next' $$;
`;
const CHANGED = join(FUNCTIONS, 'messages/accept_messages.sql');

/**
 * Makes the next release in `folder`: this build with one more schema file, one more function, and a changed function that calls
 * it. The schema file adds a column to the busiest tables. Resolves with the program and the schema numbers of both releases.
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

/** Makes a call of the new function the first statement of accept_messages. */
async function callFromAcceptance(file) {
  const sql = await readFile(file, 'utf8');
  const start = sql.indexOf('CREATE OR REPLACE FUNCTION accept_messages(');
  const begin = sql.indexOf('\nBEGIN\n', start) + '\nBEGIN\n'.length;
  if (start < 0 || begin < start)
    throw new Error('accept_messages has changed. Adapt how the next release changes it.');
  await writeFile(file, `${sql.slice(0, begin)}  PERFORM accepting_release();\n${sql.slice(begin)}`);
}

function number(version) {
  return String(version).padStart(4, '0');
}
