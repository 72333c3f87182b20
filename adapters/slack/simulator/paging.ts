import { type Answer, type Arguments, failed } from './answers.js';

/** docs.slack.dev/apis/web-api/pagination */
export interface PageRules<T> {
  readonly key: (item: T) => string;
  readonly maxLimit: number;
  /** Page size if the call has no limit. */
  readonly usual: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly response_metadata: { readonly next_cursor: string };
}

/** One page of a list. A cursor contains the key of the first item of its page, so it stays valid while the list grows. */
export function pageOf<T>(
  all: readonly T[],
  { cursor = '', limit }: Arguments,
  { key, maxLimit, usual }: PageRules<T>,
): Answer<Page<T>> {
  const size = limit === undefined || limit === '' || limit === '0' ? usual : Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > maxLimit) return failed('invalid_limit');
  const from = cursor === '' ? 0 : all.findIndex((item) => encoded(key(item)) === cursor);
  if (from < 0) return failed('invalid_cursor');
  const next = all[from + size];
  return {
    ok: true,
    items: all.slice(from, from + size),
    response_metadata: { next_cursor: next === undefined ? '' : encoded(key(next)) },
  };
}

const encoded = (key: string): string => Buffer.from(`next:${key}`).toString('base64');
