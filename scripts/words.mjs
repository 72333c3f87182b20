// Fails for words of the project's former dialect in its prose. `npm run check:words [folder]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './fingerprint.mjs';

/** Each word with its replacements. */
const WORDS = {
  anew: 'again',
  beside: 'next to, in addition to, in parallel',
  heed: 'apply, follow',
  mishap: 'failure',
  newcomer: 'new contact',
  nobody: 'no user, no client; or say what does not happen',
  somebody: 'a user, a contact, a client',
  told: 'reported, described, sent',
  whoever: 'the user who, the process that',
};
const PATTERN = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');

const FOLDERS = ['docs', 'src', 'test', 'adapters', 'bench', 'faults', 'examples', 'dashboard', 'scripts'];
const AT_ROOT = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
/** Decisions are history, and programs write the other files. */
const EXEMPT =
  /^docs\/(?:decisions|api)\/|^docs\/(?:README|behaviours|benchmarks[\w-]*|conformance|events-catalogue|reliability)\.md$|\.gen\.ts$|^scripts\/words\.mjs$/;
/** In other folders, only Markdown is read. */
const READ =
  /\.md$|^(?:src|adapters|dashboard\/src|examples\/[\w-]+\/src)\/.*\.(?:tsx?|sql)$|^test\/.*\.ts$|^(?:scripts|faults|bench)\/.*\.mjs$/;
/** A line with the title of a test. Other lines of tests may use any word, because tests also imitate hostile clients. */
const TITLE = /^\s*(?:(?:it|test|describe)\b.*\(|\].*\)\()['"`]/;

/** The refused words of one line. Code and link targets may contain them, such as the system user `nobody`. */
function wordsIn(line) {
  return line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '').match(PATTERN) ?? [];
}

const root = process.argv[2] ?? '.';
const listed = listFiles(root, FOLDERS, (path) => READ.test(path) && !EXEMPT.test(path));
const files = [...AT_ROOT, ...listed.filter((path) => !path.includes('node_modules/'))];
const faults = files.flatMap((path) =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      (path.startsWith('test/') && !TITLE.test(line) ? [] : wordsIn(line)).map(
        (word) => `${path}:${index + 1}: "${word}"; write ${WORDS[word.toLowerCase()] ?? 'another word'}`,
      ),
    ),
);
for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${faults.length} words refused.`);
process.exitCode = faults.length === 0 ? 0 : 1;
