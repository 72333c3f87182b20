/** The query of a request target with its question mark, or an empty text. A query may contain further question marks. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}
