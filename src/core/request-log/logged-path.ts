const SHOWN = 8;
const MAX_LENGTH = 256;
/** Longer than an id, which has 36 characters. */
const LONG_SEGMENT = /[^/]{37,}/g;

/** The path in the request log. Ids stay. Only the beginning of a longer segment stays, because it may be a misplaced key. */
export function loggedPath(path: string): string {
  return path.slice(0, MAX_LENGTH).replace(LONG_SEGMENT, (segment) => `${segment.slice(0, SHOWN)}…`);
}
