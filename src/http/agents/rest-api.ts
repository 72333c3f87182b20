import type { InjectOptions, LightMyRequestResponse } from 'fastify';

type Value = string | number | readonly string[] | undefined;

/** Reads a route of the REST API with the caller's credentials. Raises RefusedRequest. */
export type ReadApi = (
  path: string,
  params: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, Value>>,
) => Promise<object>;

/** Creates a record with the caller's credentials, once per idempotency key. Raises RefusedRequest. */
export type PostApi = (path: string, body: object, idempotencyKey?: string) => Promise<object>;

/** Runs a request in this process, with all checks of the API. */
export type Inject = (request: InjectOptions) => Promise<LightMyRequestResponse>;

/** An error response of the API. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly answer: unknown) {
    super('The service refused the request.');
  }
}

export interface Sender {
  readonly header: (name: string) => string | undefined;
  readonly address: string;
}

const CREDENTIALS = ['x-api-key', 'authorization'];

/** Reads the API with the sender's credentials. The checks, limits and logs are the same as for requests from outside. */
export function readApi(inject: Inject, sender: Sender): ReadApi {
  return async (path, params, query = {}) => {
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
    return ask(inject, sender, { method: 'GET', url: `/v1${filled}${queryOf(query)}` });
  };
}

/** Creates records in the same way. */
export function postApi(inject: Inject, sender: Sender): PostApi {
  return (path, body, key) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return ask(inject, sender, { method: 'POST', url: `/v1${path}`, payload: body, headers });
  };
}

async function ask(inject: Inject, { header, address }: Sender, request: InjectOptions): Promise<object> {
  const headers: InjectOptions['headers'] = { ...request.headers, host: header('host') ?? 'localhost' };
  for (const name of CREDENTIALS) {
    const value = header(name);
    if (value !== undefined) headers[name] = value;
  }
  const response = await inject({ ...request, headers, remoteAddress: address });
  const body = response.json<object>();
  if (response.statusCode >= 300) throw new RefusedRequest(body);
  return body;
}

function queryOf(query: Readonly<Record<string, Value>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Converts a cursor page: its records get the name `name`. */
export function oneList(name: string, page: object): Record<string, unknown> {
  const { data, pagination } = page as { data: unknown[]; pagination?: { nextCursor?: string | null } };
  return { [name]: data, next_cursor: pagination?.nextCursor ?? null };
}
