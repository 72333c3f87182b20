import { TrunklineError } from '../client/error.js';
import { Transport } from '../client/transport.js';

/** A response of the service with a status other than 2xx. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(
    readonly status: number,
    call: string,
    answer: string,
  ) {
    super(`${call} was answered with ${status}: ${answer.slice(0, 500)}`);
  }
}

/** One page of a list, with its exact total. */
interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly total_items: number };
}

const MAX_PAGE_SIZE = 100;
/**
 * About 40 s with the pauses of the client library. On a busy machine, the database may be unavailable for seconds after a
 * start.
 */
const RETRIES = 10;

/** The REST API of a service on this machine, for commands that use it like any other client. */
export class LocalClient {
  readonly #transport: Transport;

  /** `signal` aborts all requests and the waits before their retries. */
  constructor(baseUrl: string, apiKey: string, signal?: AbortSignal) {
    this.#transport = new Transport({ baseUrl, apiKey, retries: RETRIES, ...(signal && { signal }) });
  }

  /** Raises RefusedError for a status other than 2xx. */
  get<T>(path: string): Promise<T> {
    return this.#call('GET', path);
  }

  post<T>(path: string, body: object = {}): Promise<T> {
    return this.#call('POST', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.#call('PATCH', path, body);
  }

  /** The number of records in a list, without reading them. */
  async count(path: string): Promise<number> {
    return (await this.get<Page<unknown>>(withParameters(path, 'limit=1'))).meta.total_items;
  }

  /** All records of a list, read page by page. */
  async all<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = await this.get<Page<T>>(
        withParameters(path, `limit=${MAX_PAGE_SIZE}&order=asc${page === 1 ? '' : `&page=${page}`}`),
      );
      found.push(...data);
      if (data.length === 0 || found.length >= meta.total_items) return found;
    }
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    try {
      return (await this.#transport.json({ method, path, body })) as T;
    } catch (error) {
      // Without a response, its message says what happened.
      if (!(error instanceof TrunklineError) || error.status === 0) throw error;
      throw new RefusedError(error.status, `${method} ${path}`, error.message);
    }
  }
}

function withParameters(path: string, parameters: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}
