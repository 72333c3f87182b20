import emojiRegex from 'emoji-regex';
import { invalidField } from '../common/errors.js';

const NAMED = /^:[a-z0-9_+-]{1,62}:$/;
const VARIATION_SELECTOR = /\uFE0F/g;
/** Longer than any Unicode emoji. A longer text is no emoji. */
const MAX_LENGTH = 64;

/**
 * The stored form of a reaction: one Unicode emoji, or the `:name:` of a platform's own emoji. Undefined for anything else. A
 * variation selector that Unicode does not define for the emoji is removed.
 */
export function readEmoji(text: string): string | undefined {
  if (NAMED.test(text)) return text;
  if (text.length > MAX_LENGTH) return undefined;
  if (isOneEmoji(text)) return text;
  const bare = text.replace(VARIATION_SELECTOR, '');
  return isOneEmoji(bare) ? bare : undefined;
}

/** Raises `invalid_request` if the text is no emoji. */
export function requireEmoji(text: string): string {
  const emoji = readEmoji(text);
  if (emoji === undefined) {
    throw invalidField('emoji', 'invalid_value', 'must be one emoji, or :name: such as :thumbsup:');
  }
  return emoji;
}

function isOneEmoji(text: string): boolean {
  return text !== '' && text.match(emojiRegex())?.[0] === text;
}
