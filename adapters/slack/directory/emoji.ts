import { EMOJI_NAMES } from './emoji-names.gen.js';

const SELECTOR = /\uFE0F/g;
/** The five skin tones of Unicode. Slack numbers them from 2 (docs.slack.dev/reference/methods/reactions.add). */
const TONES = ['\u{1F3FB}', '\u{1F3FC}', '\u{1F3FD}', '\u{1F3FE}', '\u{1F3FF}'];
const TONE = /[\u{1F3FB}-\u{1F3FF}]/gu;
const ZWJ = '\u200D';
const HANDSHAKE = '\u{1F91D}';

const entries = EMOJI_NAMES.split(',').map((entry) => entry.split(' ') as [string, ...string[]]);
const nameOf = new Map(entries.map(([emoji, name]) => [emoji.replace(SELECTOR, ''), name ?? '']));
const emojiOf = new Map(entries.flatMap(([emoji, ...names]) => names.map((name) => [name, emoji] as const)));

/** Slack's name of an emoji, or the name inside `:name:`. Undefined if Slack has none. */
export function slackName(emoji: string): string | undefined {
  const own = /^:([a-z0-9_+-]{1,62}):$/.exec(emoji)?.[1];
  if (own !== undefined) return own;
  const bare = emoji.replace(SELECTOR, '');
  const plain = nameOf.get(bare);
  if (plain !== undefined) return plain;
  const name = nameOf.get(bare.replace(TONE, ''));
  if (name === undefined) return undefined;
  const tones = new Set(bare.match(TONE));
  // An emoji with two skin tones has no name, so the emoji without tones is used.
  return tones.size === 1 ? `${name}::skin-tone-${TONES.indexOf([...tones][0] ?? '') + 2}` : name;
}

/** The emoji of a Slack name. `:name:` for a custom emoji of the workspace. */
export function emojiNamed(slack: string): string {
  const [name = '', modifier] = slack.split('::');
  const emoji = emojiOf.get(name);
  if (emoji === undefined) return `:${name}:`;
  const tone = TONES[Number(/^skin-tone-([2-6])$/.exec(modifier ?? '')?.[1]) - 2];
  return tone === undefined ? emoji : toned(emoji, tone);
}

/** The emoji of a standard name, otherwise undefined. */
export function knownEmoji(name: string): string | undefined {
  return emojiOf.has(name.split('::')[0] ?? '') ? emojiNamed(name) : undefined;
}

function toned(emoji: string, tone: string): string {
  return emoji
    .split(ZWJ)
    .map((part, _, all) =>
      all.length > 1 && part === HANDSHAKE
        ? part
        : part.replace(/^(\p{Emoji_Modifier_Base})\uFE0F?/u, `$1${tone}`),
    )
    .join(ZWJ);
}
