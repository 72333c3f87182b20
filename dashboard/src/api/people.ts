import { type QueryClient, queryOptions, useQueries } from '@tanstack/react-query';
import { api, must, type Schemas } from './client';
import { refresh } from './refresh';

export type Person = Schemas['User'];

const MAX_IDS = 20;
/** The first part of the query keys of people. */
export const PEOPLE = ['person'] as const;

let waiting: Map<string, (person: Person | null | Error) => void> | undefined;

/** Loads all people requested at the same time in one batch. A deleted person is null. */
function loadPerson(id: string): Promise<Person | null> {
  return new Promise((resolve, reject) => {
    if (waiting === undefined || waiting.size === MAX_IDS) {
      const batch = new Map<string, (person: Person | null | Error) => void>();
      waiting = batch;
      queueMicrotask(() => {
        if (waiting === batch) waiting = undefined;
        void loadBatch(batch);
      });
    }
    waiting.set(id, (person) => (person instanceof Error ? reject(person) : resolve(person)));
  });
}

async function loadBatch(batch: ReadonlyMap<string, (person: Person | null | Error) => void>): Promise<void> {
  try {
    const query = { filter: [`id:${[...batch.keys()].join('|')}`], limit: MAX_IDS, cursor: '' };
    const { data } = await must(api.GET('/openapi/users', { params: { query } }));
    const found = new Map(data.map((person) => [person.id, person]));
    for (const [id, settle] of batch) settle(found.get(id) ?? null);
  } catch (error) {
    for (const settle of batch.values()) settle(error as Error);
  }
}

const personQuery = (id: string) =>
  queryOptions({ queryKey: [...PEOPLE, id], queryFn: () => loadPerson(id), staleTime: 300_000 });

/** Loads a person again who was changed or deleted, if a screen shows that person. */
export const refreshPerson = (queries: QueryClient, id: string): void => refresh(queries, [...PEOPLE, id]);

/** The same, with null for a person who is deleted, and without the people who are still being loaded. */
export function useLoadedPeople(ids: readonly string[]): ReadonlyMap<string, Person | null> {
  const unique = [...new Set(ids)];
  return useQueries({
    queries: unique.map(personQuery),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, index) => (data === undefined ? [] : [[unique[index] ?? '', data]])),
      ),
  });
}

export function usePeople(ids: readonly string[]): ReadonlyMap<string, Person> {
  return useQueries({
    queries: [...new Set(ids)].map(personQuery),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data == null ? [] : [[data.id, data] as const]))),
  });
}

/** The names of people. Undefined while one of them is being loaded. A deleted person has none. */
export function useNames(ids: readonly string[]): readonly string[] | undefined {
  return useQueries({
    queries: [...new Set(ids)].map(personQuery),
    combine: (results) =>
      results.some(({ isPending }) => isPending)
        ? undefined
        : results.flatMap(({ data }) => (data == null ? [] : [data.display_name])),
  });
}
