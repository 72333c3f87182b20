import type { CallOptions, Query, Version } from './options.js';
import type { Paged } from './paged.js';
import type { components as components1, paths as paths1 } from './schema.gen.js';
import type { components as components2, paths as paths2 } from './schema-2.gen.js';

/** Types of the parameters and results of operations, derived from the generated types. Unlisted operations use JSON. */

interface Documents {
  '1.0': { paths: paths1; schemas: components1['schemas'] };
  '2.0': { paths: paths2; schemas: components2['schemas'] };
}

/** The records of a version by name, such as `Schemas['Message']`. */
export type Schemas<V extends Version = '1.0'> = Documents[V]['schemas'];

/** A record by name. A record that the description does not list is any object. */
export type RecordOf<Name extends string, V extends Version = '1.0'> = Name extends keyof Schemas<V>
  ? Schemas<V>[Name]
  : JsonObject;

type JsonObject = Record<string, unknown>;
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An id. A conversation also has a number. */
export type Id = string | number;

type Ids<P extends string> = P extends `${string}{${string}}${infer Rest}` ? [id: Id, ...Ids<Rest>] : [];

type Paths<V extends Version> = Documents[V]['paths'];

type Operation<V extends Version, M extends Method, P extends string> = P extends keyof Paths<V>
  ? M extends keyof Paths<V>[P]
    ? Paths<V>[P][M]
    : undefined
  : undefined;

type ContentOf<R> = R extends { content: infer C } ? C[keyof C] : undefined;

/** The body of the success response: of the 201 if there is one, otherwise of the 200. */
export type Answer<V extends Version, M extends Method, P extends string> =
  Operation<V, M, P> extends { responses: infer R }
    ? R extends { 201: infer Made }
      ? ContentOf<Made>
      : R extends { 200: infer Found }
        ? ContentOf<Found>
        : undefined
    : M extends 'delete'
      ? undefined
      : JsonObject;

/** The body of the 200 of an operation that also has a 201. */
export type AnswerOf200<V extends Version, M extends Method, P extends string> =
  Operation<V, M, P> extends { responses: { 200: infer Found } } ? ContentOf<Found> : JsonObject;

type Envelope<V extends Version, P extends string> =
  Answer<V, 'get', P> extends { data: readonly unknown[] }
    ? Answer<V, 'get', P>
    : { data: JsonObject[]; pagination?: { nextCursor: string | null; hasMore: boolean } };

/** One page as the service returns it. */
type PageOf<V extends Version, P extends string> = Envelope<V, P>;
type ItemOf<V extends Version, P extends string> = Envelope<V, P>['data'][number];

type QueryOf<V extends Version, M extends Method, P extends string> =
  Operation<V, M, P> extends { parameters: { query?: infer Q } }
    ? [NonNullable<Q>] extends [never]
      ? Query
      : NonNullable<Q>
    : Query;

/** Filters and sort order of a list. The position of a page is passed to `page()`. */
type ListQuery<V extends Version, P extends string> = Omit<
  QueryOf<V, 'get', P>,
  'page' | 'cursor' | 'filter'
> & {
  /** Clauses such as `status:open|pending`; all of them must hold. */
  filter?: string | readonly string[];
};

/** A form with a file. Its other fields are sent as text. */
export type Form = { file: Blob } & JsonObject;

type Sent<R> = R extends { content: infer C }
  ? { [T in keyof C]: C[T] extends Record<string, never> ? Form : C[T] }[keyof C]
  : JsonObject;

/** The body of a request. For an upload, it is the form with the file. */
export type BodyOf<V extends Version, M extends Method, P extends string> =
  Operation<V, M, P> extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? JsonObject
      : Sent<NonNullable<B>>
    : JsonObject;

type BodyArgument<V extends Version, M extends Method, P extends string> =
  Operation<V, M, P> extends { requestBody: object } ? [body: BodyOf<V, M, P>] : [body?: BodyOf<V, M, P>];

/** A request without a body or a query. */
export type Call<V extends Version, M extends Method, P extends string> = (
  ...args: [...ids: Ids<P>, options?: CallOptions]
) => Promise<Answer<V, M, P>>;

export type CallWithBody<V extends Version, M extends Method, P extends string> = (
  ...args: [...ids: Ids<P>, ...body: BodyArgument<V, M, P>, options?: CallOptions]
) => Promise<Answer<V, M, P>>;

export type CallWithQuery<V extends Version, P extends string> = (
  ...args: [...ids: Ids<P>, query?: QueryOf<V, 'get', P>, options?: CallOptions]
) => Promise<Answer<V, 'get', P>>;

/** The list at a path: its records, and its pages as the service returns them. */
export type ListOf<V extends Version, P extends string> = Paged<ItemOf<V, P>, PageOf<V, P>>;

export type ListCall<V extends Version, P extends string> = (
  ...args: [...ids: Ids<P>, query?: ListQuery<V, P>, options?: CallOptions]
) => ListOf<V, P>;
