export type Level = 'ok' | 'warning' | 'problem';

/** The result of a check, and what to do about it. */
export interface Finding {
  readonly level: Level;
  /** What was checked, in a word or two. */
  readonly check: string;
  readonly found: string;
  readonly fix: string | null;
}

const MAX_LENGTH = 300;

export function ok(check: string, found: string): Finding {
  return { level: 'ok', check, found: plain(found), fix: null };
}

export function warning(check: string, found: string, fix: string): Finding {
  return { level: 'warning', check, found: plain(found), fix: plain(fix) };
}

export function problem(check: string, found: string, fix: string): Finding {
  return { level: 'problem', check, found: plain(found), fix: plain(fix) };
}

/** Removes control and direction characters and limits the length, because names and messages come from people and platforms. */
function plain(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const points = [...clean];
  return points.length <= MAX_LENGTH ? clean : `${points.slice(0, MAX_LENGTH - 1).join('')}…`;
}
