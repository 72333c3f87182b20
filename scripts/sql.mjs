// Fails for a line of SQL that is too long or ends in white space. `npm run check:sql [folder]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './fingerprint.mjs';

/** Two files fit side by side on a screen. */
const MAX_CHARACTERS = 110;

/** The fault of one line, or undefined. */
function faultOf(line) {
  const { length } = [...line];
  if (length > MAX_CHARACTERS) return `${length} characters; at most ${MAX_CHARACTERS}`;
  if (/\s$/.test(line)) return 'white space at its end';
  if (line.includes('\t')) return 'a tab; indent with two spaces';
  return undefined;
}

const root = process.argv[2] ?? '.';
const files = listFiles(root, ['src'], (path) => path.endsWith('.sql'));
const faults = files.flatMap((path) =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const fault = faultOf(line);
      return fault === undefined ? [] : [`${path}:${index + 1}: ${fault}`];
    }),
);
for (const fault of faults) console.error(fault);
console.log(`${files.length} SQL files, ${faults.length} lines refused.`);
process.exitCode = faults.length === 0 ? 0 : 1;
