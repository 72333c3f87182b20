import { quoted } from './filter';

/** The service rejects shorter texts, because no index supports them. */
export const SHORTEST_SEARCH = 3;
const SHORT_NAME = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The filter of contacts for a text, which is an address, a number or a part of a name. A short text in Chinese, Japanese or
 * Korean is a whole name. Other short texts have no filter.
 */
export function personClauses(text: string): string[] {
  const wanted = text.trim();
  if (wanted.length < SHORTEST_SEARCH)
    return SHORT_NAME.test(wanted) ? [`display_name:${quoted(wanted)}`] : [];
  if (wanted.includes('@')) return [`email:${quoted(wanted)}`];
  if (/^\+?[\d ()/-]+$/.test(wanted)) return [`phone:${quoted(wanted.replace(/[ ()/-]/g, ''))}`];
  return [`display_name:~${quoted(wanted)}`];
}
