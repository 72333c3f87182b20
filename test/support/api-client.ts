import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { answerProblems } from './answer-rules.js';
import type { Descriptions } from './api-description.js';
import { PATIENCE_MS } from './wait-for.js';

export type Json = Record<string, unknown>;

export interface RequestOptions {
  /** Sent as JSON; a string or buffer is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface ApiAnswer<T = Json> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: T;
  readonly text: string;
}

/** Sends requests unchanged, and compares each response with the contract and the served description. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly key: string | undefined,
    private readonly descriptions: Descriptions,
  ) {}

  /** The same, with a header on each request. */
  get<T = Json>(path: string, options?: RequestOptions): Promise<ApiAnswer<T>> {
    return this.send<T>('GET', path, options);
  }

  post<T = Json>(path: string, body?: unknown, options?: RequestOptions): Promise<ApiAnswer<T>> {
    return this.send<T>('POST', path, { ...options, body });
  }

  patch<T = Json>(path: string, body?: unknown, options?: RequestOptions): Promise<ApiAnswer<T>> {
    return this.send<T>('PATCH', path, { ...options, body });
  }

  delete<T = Json>(path: string, options?: RequestOptions): Promise<ApiAnswer<T>> {
    return this.send<T>('DELETE', path, options);
  }

  /** A request that must get this status. Resolves with the body. */
  async must<T = Json>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send<T>(method, path, { body });
    expect(`${answer.status} ${answer.status === status ? '' : answer.text}`).toBe(`${status} `);
    return answer.body;
  }

  async send<T = Json>(method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer<T>> {
    const answer = await this.#exchange<T>(method, path, options);
    this.#check(method, path, answer as ApiAnswer<Json>);
    return answer;
  }

  #exchange<T>(method: string, path: string, { body, headers = {} }: RequestOptions): Promise<ApiAnswer<T>> {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const payload = raw ? (body as string | Buffer | undefined) : JSON.stringify(body);
    const sent = {
      ...(this.key === undefined ? {} : { 'x-api-key': this.key }),
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
      ...headers,
    };
    const wanted = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest({ hostname, port, method, path, headers: wanted }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const json = text === '' || isLines(response.headers) ? undefined : JSON.parse(text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: json as T, text });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  #check(method: string, target: string, answer: ApiAnswer<Json>): void {
    const what = `${method} ${target} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 400)}`;
    expect(answerProblems(method, target, answer, this.descriptions), what).toEqual([]);
  }
}

/** Exports are CSV, and progress reports are JSON lines. All other responses are JSON, whatever their type. */
function isLines(headers: IncomingHttpHeaders): boolean {
  return ['text/csv; charset=utf-8', 'application/x-ndjson'].includes(headers['content-type'] ?? '');
}

/** Names of the fields that a 400 reports. */
export function fieldsOf({ status, body }: ApiAnswer<Json>): [string, string][] {
  expect(status).toBe(400);
  const { fields = [] } = (body.details ?? {}) as { fields?: { field: string; code: string }[] };
  return fields.map(({ field, code }) => [field, code]);
}

/** `reason` of a 409. */
export function reasonOf({ status, body }: ApiAnswer<Json>): unknown {
  expect(status).toBe(409);
  return (body.details as Json).reason;
}

/** Reads repeatedly until the value is as wanted. Fails with the last value. */
export async function eventually<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  const endsAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (wanted(value)) return value;
    if (Date.now() > endsAt)
      throw new Error(`Still not as wanted: ${JSON.stringify(value)?.slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
