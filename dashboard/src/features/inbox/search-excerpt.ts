const BEFORE = 40;
const AFTER = 160;

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** The text around the match. It is short even for a text of megabytes. */
export function excerptOf(text: string, wanted: string): Excerpt {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return { before: text.slice(0, BEFORE + AFTER), match: '', after: '' };
  const from = Math.max(0, at - BEFORE);
  const end = at + wanted.length;
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    match: text.slice(at, end),
    after: text.slice(end, end + AFTER),
  };
}
