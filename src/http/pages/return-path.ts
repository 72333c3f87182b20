const ANY_ORIGIN = 'http://origin.invalid';
const MAX_LENGTH = 8_192;

/** The path a page may lead back to: one of this origin, as the browser will read it. Undefined for anything else. */
export function returnPath(asked: unknown): string | undefined {
  if (typeof asked !== 'string' || asked.length > MAX_LENGTH || !/^\/(?![/\\])/.test(asked)) return undefined;
  if (!URL.canParse(asked, ANY_ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(asked, ANY_ORIGIN);
  const path = pathname + search + hash;
  // Dot segments may leave two slashes at the front, which name another host.
  return origin === ANY_ORIGIN && !path.startsWith('//') ? path : undefined;
}
