const SHOWN = 8;
const MAX_LENGTH = 256;
/** Longer than an id, which has 36 characters. */
const LONG_SEGMENT = /[^/]{37,}/g;

/**
 * A path as the request log keeps it. Ids stay. A longer segment may be a key that came to the wrong place, so that only its
 * beginning stays.
 */
export function loggedPath(path: string): string {
  return path.slice(0, MAX_LENGTH).replace(LONG_SEGMENT, (segment) => `${segment.slice(0, SHOWN)}…`);
}
