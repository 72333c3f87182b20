const ANY_ORIGIN = 'http://origin.invalid';
const MAX_LENGTH = 8_192;

/** The path to which a page may return. It must be on this origin when a browser resolves it. Undefined for anything else. */
export function returnPath(asked: unknown): string | undefined {
  if (typeof asked !== 'string' || asked.length > MAX_LENGTH || !/^\/(?![/\\])/.test(asked)) return undefined;
  if (!URL.canParse(asked, ANY_ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(asked, ANY_ORIGIN);
  const path = pathname + search + hash;
  // When dot segments are removed, a path may start with two slashes, which name another host.
  return origin === ANY_ORIGIN && !path.startsWith('//') ? path : undefined;
}
