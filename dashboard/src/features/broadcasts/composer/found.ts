import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, must } from '../../../api/client';
import { quoted } from '../../../api/filter';
import { useSettled } from '../../../kit/settled';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A type of named records. */
export interface Kind<Row extends Named> {
  readonly key: string;
  /** Returns up to 100 records that match the filter, sorted by name. */
  readonly read: (filter: string[], signal: AbortSignal) => Promise<Page<Row>>;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination?: { readonly nextCursor?: string | null } | null;
}

interface Found<Row> {
  readonly rows: readonly Row[];
  /** Whether the service has more results. */
  readonly hasMore: boolean;
}

const PAGE_SIZE = 100;
const NAMES = { sort: 'name', order: 'asc', limit: PAGE_SIZE, cursor: '' } as const;
const PAUSE_MS = 250;
/** The service supports substring search only for three or more characters. */
const SHORTEST_SEARCH = 3;
/** Limits the filter, whose maximum length is 1,024 characters. */
const IDS_AT_ONCE = 20;

export const SEGMENTS = {
  key: 'segments',
  read: (filter: string[], signal: AbortSignal) =>
    must(api.GET('/openapi/segments', { params: { query: { ...NAMES, filter } }, signal })),
};

export const TEMPLATES = {
  key: 'broadcast-templates',
  read: (filter: string[], signal: AbortSignal) =>
    must(api.GET('/openapi/templates', { params: { query: { ...NAMES, filter } }, signal })),
};

const foundOf = <Row>({ data, pagination }: Page<Row>): Found<Row> => ({
  rows: data,
  hasMore: pagination?.nextCursor != null,
});

/** For shorter texts, finds the record with that exact name, and the records among the first 100 whose name contains the text. */
export async function findByName<Row extends Named>(
  read: (filter: string[]) => Promise<Page<Row>>,
  text: string,
): Promise<Found<Row>> {
  if (text === '') return foundOf(await read([]));
  if ([...text].length >= SHORTEST_SEARCH) return foundOf(await read([`name:~${quoted(text)}`]));
  const [same, first] = await Promise.all([read([`name:${quoted(text)}`]), read([])]);
  const contains = ({ name }: Named) => name.toLowerCase().includes(text.toLowerCase());
  const rows = new Map([...same.data, ...first.data.filter(contains)].map((row) => [row.id, row]));
  return { rows: [...rows.values()], hasMore: foundOf(first).hasMore };
}

const foundQuery = <Row extends Named>({ key, read }: Kind<Row>, text: string) =>
  queryOptions({
    queryKey: [key, 'found', text],
    queryFn: ({ signal }) => findByName((filter) => read(filter, signal), text),
    placeholderData: keepPreviousData,
  });

/** Search by name. `found` is undefined until the first response. */
export function useSearch<Row extends Named>(kind: Kind<Row>) {
  const [text, setText] = useState('');
  const settled = useSettled(text.trim(), PAUSE_MS);
  const { data, isPlaceholderData } = useQuery(foundQuery(kind, settled));
  const isSearching = isPlaceholderData || settled !== text.trim();
  return { text, setText, found: data, isSearching };
}

/** The records with the given ids. Deleted records are absent. */
export const chosenQuery = <Row extends Named>({ key, read }: Kind<Row>, ids: readonly string[]) =>
  queryOptions({
    queryKey: [key, 'chosen', ids],
    queryFn: async ({ signal }): Promise<readonly Row[]> => {
      const parts = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, part) =>
        ids.slice(part * IDS_AT_ONCE, (part + 1) * IDS_AT_ONCE),
      );
      const pages = await Promise.all(parts.map((part) => read([`id:${part.join('|')}`], signal)));
      return pages.flatMap(({ data }) => data);
    },
    placeholderData: keepPreviousData,
  });
