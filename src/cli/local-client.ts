/** An answer of the service other than 2xx. */
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

const LIMIT_MS = 30_000;
const LARGEST_PAGE = 100;

/** The REST interface of a service on this machine, for commands that use it like every other client. */
export class LocalClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** Raises RefusedError for an answer other than 2xx. */
  get<T>(path: string): Promise<T> {
    return this.#call('GET', path);
  }

  post<T>(path: string, body: object = {}): Promise<T> {
    return this.#call('POST', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.#call('PATCH', path, body);
  }

  /** How many there are, without reading them. */
  async count(path: string): Promise<number> {
    return (await this.get<Page<unknown>>(withParameters(path, 'limit=1'))).meta.total_items;
  }

  /** Everything in a list, page by page. */
  async all<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = await this.get<Page<T>>(
        withParameters(path, `limit=${LARGEST_PAGE}&order=asc${page === 1 ? '' : `&page=${page}`}`),
      );
      found.push(...data);
      if (data.length === 0 || found.length >= meta.total_items) return found;
    }
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': this.apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new RefusedError(response.status, `${method} ${path}`, text);
    return JSON.parse(text) as T;
  }
}

function withParameters(path: string, parameters: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}
