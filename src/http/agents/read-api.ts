import type { InjectOptions, LightMyRequestResponse } from 'fastify';

type Value = string | number | readonly string[] | undefined;

/** Reads one route of the REST interface with the credentials of the caller. Raises RefusedRead. */
export type ReadApi = (
  path: string,
  params: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, Value>>,
) => Promise<object>;

/** Runs a request in this process, through every check of the interface. */
export type Inject = (request: InjectOptions) => Promise<LightMyRequestResponse>;

/** What the interface answered in place of a record. */
export class RefusedRead extends Error {
  override readonly name = 'RefusedRead';

  constructor(readonly answer: unknown) {
    super('The service refused the request.');
  }
}

export interface Sender {
  readonly header: (name: string) => string | undefined;
  readonly address: string;
}

const CREDENTIALS = ['x-api-key', 'authorization'];

/** The interface as the sender of a request may read it. The checks, limits and logs are those of a request from outside. */
export function readApi(inject: Inject, { header, address }: Sender): ReadApi {
  const headers: Record<string, string> = { host: header('host') ?? 'localhost' };
  for (const name of CREDENTIALS) {
    const value = header(name);
    if (value !== undefined) headers[name] = value;
  }
  return async (path, params, query = {}) => {
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
    const url = `/v1${filled}${queryOf(query)}`;
    const response = await inject({ method: 'GET', url, headers, remoteAddress: address });
    const body = response.json<object>();
    if (response.statusCode !== 200) throw new RefusedRead(body);
    return body;
  };
}

function queryOf(query: Readonly<Record<string, Value>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** A page by cursor with its records under a name of their own. */
export function oneList(name: string, page: object): Record<string, unknown> {
  const { data, pagination } = page as { data: unknown[]; pagination?: { nextCursor?: string | null } };
  return { [name]: data, next_cursor: pagination?.nextCursor ?? null };
}
