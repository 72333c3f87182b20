import type {
  Answer,
  AnswerOf200,
  BodyOf,
  Call,
  CallWithBody,
  CallWithQuery,
  Id,
  ListCall,
  Method,
} from './operations.js';
import type { CallOptions, Query, TrunklineOptions, Version } from './options.js';
import { Paged } from './paged.js';
import { Transport } from './transport.js';

/** The part of a call between the ids and the options. */
type Middle = 'nothing' | 'query' | 'body';

/** Creates functions from a method and a path. The generated types define their parameters and results. */
export class Requests<V extends Version> {
  protected readonly transport: Transport;

  constructor(options: TrunklineOptions<V>) {
    this.transport = new Transport(options);
  }

  /** Calls any operation by its path in the OpenAPI description. `ids` replace its placeholders in order. */
  async request<M extends Method, const P extends string>(
    method: M,
    path: P,
    request: CallOptions & { readonly ids?: readonly Id[]; readonly body?: BodyOf<V, M, P> } = {},
  ): Promise<Answer<V, M, P>> {
    const { ids = [], ...rest } = request;
    const exchange = { ...rest, method: method.toUpperCase(), path: filled(path, ids) };
    return (await this.transport.json(exchange)) as Answer<V, M, P>;
  }

  protected list<const P extends string>(path: P): ListCall<V, P> {
    const call = (...args: unknown[]) => {
      const { ids, middle, options } = split(path, args, true);
      const read = (query: Query) =>
        this.request('get', path, { ...options, ids, query: { ...options.query, ...query } });
      return new Paged(read, (middle ?? {}) as Query);
    };
    return call as unknown as ListCall<V, P>;
  }

  protected get<const P extends string>(path: P): Call<V, 'get', P> {
    return this.#call('get', path, 'nothing') as Call<V, 'get', P>;
  }

  /** A GET with query parameters whose response is not a list. */
  protected compute<const P extends string>(path: P): CallWithQuery<V, P> {
    return this.#call('get', path, 'query') as CallWithQuery<V, P>;
  }

  /** A POST with a body. */
  protected post<const P extends string>(path: P): CallWithBody<V, 'post', P> {
    return this.#call('post', path, 'body') as CallWithBody<V, 'post', P>;
  }

  /** A POST without a body. */
  protected act<const P extends string>(path: P): Call<V, 'post', P> {
    return this.#call('post', path, 'nothing') as Call<V, 'post', P>;
  }

  protected patch<const P extends string>(path: P): CallWithBody<V, 'patch', P> {
    return this.#call('patch', path, 'body') as CallWithBody<V, 'patch', P>;
  }

  protected put<const P extends string>(path: P): Call<V, 'put', P> {
    return this.#call('put', path, 'nothing') as Call<V, 'put', P>;
  }

  protected remove<const P extends string>(path: P): Call<V, 'delete', P> {
    return this.#call('delete', path, 'nothing') as Call<V, 'delete', P>;
  }

  /** A POST that only returns what would happen. */
  protected preview<const P extends string>(
    path: P,
    query: Query,
  ): (body: BodyOf<V, 'post', P>, options?: CallOptions) => Promise<AnswerOf200<V, 'post', P>> {
    return (body, options = {}) =>
      this.request('post', path, { ...options, body, query: { ...options.query, ...query } }) as Promise<
        AnswerOf200<V, 'post', P>
      >;
  }

  #call(method: Method, path: string, kind: Middle): (...args: unknown[]) => Promise<unknown> {
    return async (...args) => {
      const { ids, middle, options } = split(path, args, kind !== 'nothing');
      const input =
        kind === 'query' ? { query: { ...options.query, ...(middle as Query) } } : { body: middle };
      const exchange = { ...options, ...input, method: method.toUpperCase(), path: filled(path, ids) };
      return this.transport.json(exchange);
    };
  }
}

const PARAMETER = /\{[^{}]+\}/g;

function split(path: string, args: readonly unknown[], hasMiddle: boolean) {
  const count = path.match(PARAMETER)?.length ?? 0;
  const [middle, options] = hasMiddle ? args.slice(count) : [undefined, args[count]];
  return { ids: args.slice(0, count) as Id[], middle, options: (options ?? {}) as CallOptions };
}

/** Replaces the placeholders of a path with ids. An id that would lead to another path is refused. */
function filled(path: string, ids: readonly Id[]): string {
  let next = 0;
  return path.replace(PARAMETER, (parameter) => {
    const id = ids[next];
    next += 1;
    const isId = typeof id === 'number' || (typeof id === 'string' && !/^\.{0,2}$/.test(id));
    if (!isId) throw new TypeError(`${parameter.slice(1, -1)} of ${path} must be an id.`);
    return encodeURIComponent(id);
  });
}
