/** The target of a request, parsed from the raw URL: the path as sent, the version segment and the query pairs. */
export interface RequestTarget {
  readonly path: string;
  /** `v` and digits, if the path starts with such a segment. */
  readonly versionSegment: string | undefined;
  readonly unversionedPath: string;
  readonly queryText: string;
  /** Decoded pairs in the order of the query. */
  readonly query: readonly (readonly [string, string])[];
  /** Whether the query is not valid percent-encoded UTF-8 or contains U+0000. */
  readonly malformedQuery: boolean;
  /** The values of `version`. A value that can't be decoded is kept as sent. */
  readonly versions: readonly string[];
  readonly bytes: number;
}

const VERSION_SEGMENT = /^\/(v\d+)(?=\/)/;

/** Splits a raw URL at its first question mark. A query may contain further ones; it is undefined without a question mark. */
export function splitTarget(url: string): { readonly path: string; readonly queryText: string | undefined } {
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, queryText: undefined };
  return { path: url.slice(0, mark), queryText: url.slice(mark + 1) };
}

export function readTarget(url: string): RequestTarget {
  const { path, queryText = '' } = splitTarget(url);
  const versionSegment = VERSION_SEGMENT.exec(path)?.[1];
  const query = queryText === '' ? [] : readPairs(queryText);
  return {
    path,
    versionSegment,
    unversionedPath: versionSegment === undefined ? path : path.slice(versionSegment.length + 1),
    queryText,
    query: query ?? [],
    malformedQuery: query === undefined,
    versions:
      query?.filter(([name]) => name === 'version').map(([, value]) => value) ?? versionsIn(queryText),
    bytes: url.length,
  };
}

function readPairs(text: string): [string, string][] | undefined {
  try {
    return text
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const equals = part.indexOf('=');
        return equals === -1
          ? [decode(part), '']
          : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
      });
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function versionsIn(text: string): string[] {
  const values = text.split('&').filter((part) => part.startsWith('version='));
  return values.map((part) => part.slice('version='.length)).map((value) => readValue(value) ?? value);
}

function readValue(value: string): string | undefined {
  return readPairs(`value=${value}`)?.[0]?.[1];
}

function decode(part: string): string {
  const text = decodeURIComponent(part.replaceAll('+', ' '));
  if (text.includes('\0')) throw new URIError('U+0000');
  return text;
}
