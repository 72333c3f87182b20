import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const TABLE = fileURLToPath(new URL('../adapters/slack/directory/emoji-names.gen.ts', import.meta.url));

/** The adapter's table, made from the package: each emoji in its fully qualified form, with its Slack names. */
export function emojiTable() {
  const require = createRequire(import.meta.url);
  const names = require('emojibase-data/en/shortcodes/iamcal.json');
  const entries = Object.entries(names)
    .filter(([hexcode]) => !/-?1F3F[B-F]/.test(hexcode))
    .map(([hexcode, name]) => [fullyQualified(hexcode), ...[name].flat()].join(' '));
  return [
    '/** Made by scripts/emoji-names.mjs out of emojibase-data (MIT): each emoji with its names, divided by commas. */',
    `export const EMOJI_NAMES =\n  '${entries.join(',')}';\n`,
  ].join('\n');
}

/** A character that is shown as text by default needs the variation selector. */
function fullyQualified(hexcode) {
  const emoji = String.fromCodePoint(...hexcode.split('-').map((code) => Number.parseInt(code, 16)));
  return /^\p{Emoji}$/u.test(emoji) && !/^\p{Emoji_Presentation}$/u.test(emoji) ? `${emoji}\uFE0F` : emoji;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = await readFile(TABLE, 'utf8').catch(() => '');
  const after = emojiTable();
  if (before !== after) await writeFile(TABLE, after);
}
