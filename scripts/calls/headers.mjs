// Reads the headers of database functions: the comment at the start of the file that is named after the function.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const NAMED = /^-- (Locks|Events|Arguments|Returns): (.*)$/;

/** The headers by the name of the function. */
export async function readHeaders(folder) {
  const paths = await readdir(folder, { recursive: true });
  const files = paths.filter((path) => path.endsWith('.sql') && basename(path) !== '_shared.sql').sort();
  const headers = files.map(async (path) => {
    const name = basename(path, '.sql');
    return [name, parseHeader(name, await readFile(join(folder, path), 'utf8'))];
  });
  return new Map(await Promise.all(headers));
}

/** A named part continues in lines that are indented further. */
function parseHeader(name, sql) {
  const [comment] = /^(?:--.*\n)*/.exec(sql);
  const parts = { summary: [] };
  let part = parts.summary;
  for (const line of comment.trimEnd().split('\n')) {
    const [, title, first] = NAMED.exec(line) ?? [];
    if (title !== undefined) {
      part = [first];
      parts[title.toLowerCase()] = part;
    } else if (part !== parts.summary && !line.startsWith('--  ')) {
      part = parts.summary;
    } else {
      part.push(line.replace(/^--\s*/, ''));
    }
  }
  const joined = (lines) => lines?.join(' ').trim();
  return {
    summary: joined(parts.summary),
    arguments: joined(parts.arguments),
    returns: joined(parts.returns),
    /** Names of the function's own arguments, to distinguish it from its overloads. */
    names: argumentNames(name, sql),
  };
}

function argumentNames(name, sql) {
  const [, list = ''] =
    [
      ...sql.matchAll(
        new RegExp(`^CREATE OR REPLACE FUNCTION ${name}\\(([^]*?)\\)\\s+(?:RETURNS|LANGUAGE)`, 'gm'),
      ),
    ].at(-1) ?? [];
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('OUT '))
    .map((one) => one.split(/\s+/)[0]);
}
