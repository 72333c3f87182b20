import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';
import { UsageError } from './usage-error.js';

/** Pages that are useful only in a browser: the start page of the site and its tables of contents. */
const NO_TOPICS = new Set(['index', 'README']);
const MAX_SUGGESTIONS = 5;

/** Prints a page of the documentation that is shipped with the program, or the list of its topics. */
export async function docsCommand(topic: string | undefined): Promise<number> {
  const pages = await findPages();
  if (pages.size === 0) throw new Error('This installation contains no documentation.');
  if (topic === undefined) {
    await print(await topicList(pages));
    return 0;
  }
  const wanted = topic.replace(/^docs\//, '').replace(/\.md$/, '');
  const found = [...pages.keys()].find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) throw new UsageError(unknownTopic(topic, [...pages.keys()]));
  await print(await readFile(pages.get(found) ?? '', 'utf8'));
  return 0;
}

/** The file of each topic, in the order of their names. Only files in this map are opened. */
async function findPages(): Promise<ReadonlyMap<string, string>> {
  const root = packageRoot();
  const pages = new Map<string, string>();
  for (const [folder, prefix] of [
    [join(root, 'docs'), ''],
    [join(root, 'docs', 'decisions'), 'decisions/'],
  ] as const) {
    if (!existsSync(folder)) continue;
    const names = (await readdir(folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -3));
    for (const name of names.sort()) {
      if (!NO_TOPICS.has(name)) pages.set(prefix + name, join(folder, `${name}.md`));
    }
  }
  const agents = join(root, 'AGENTS.md');
  if (existsSync(agents)) pages.set('coding-agents', agents);
  return pages;
}

async function topicList(pages: ReadonlyMap<string, string>): Promise<string> {
  const topics = [...pages].filter(([name]) => !name.startsWith('decisions/'));
  const width = Math.max(...topics.map(([name]) => name.length));
  const lines = await Promise.all(
    topics.map(async ([name, file]) => `  ${name.padEnd(width)}  ${await titleOf(file)}`),
  );
  return `Topics, for "trunkline docs <topic>":\n\n${lines.join('\n')}\n\nDecisions have topics such as decisions/0001-postgresql-is-the-truth.\n`;
}

async function titleOf(file: string): Promise<string> {
  return /^# (.+)$/m.exec(await readFile(file, 'utf8'))?.[1] ?? '';
}

function unknownTopic(topic: string, names: readonly string[]): string {
  const word = topic.toLowerCase();
  const close = names.filter(
    (name) => name.toLowerCase().includes(word) || (word.length > 3 && word.includes(name.toLowerCase())),
  );
  const suggestions = close.slice(0, MAX_SUGGESTIONS).join(', ');
  return `There is no topic "${topic.slice(0, 100)}". ${
    suggestions === '' ? 'Run "trunkline docs" for a list of them.' : `Did you mean ${suggestions}?`
  }`;
}

/** Resolves when the text is written, or when the reader closes the pipe, as `head` does. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error));
    process.stdout.once('error', onError);
    process.stdout.write(text, (error) => {
      // The error event of a failed write follows its callback.
      if (error) return;
      process.stdout.off('error', onError);
      resolve();
    });
  });
}
