import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { AnswerLimit } from './answer-limit.js';
import { BufferedResponse } from './buffered-response.js';

/** A body up to this size is buffered. A longer body or one of unknown length is streamed. */
const bufferedBytes = 1024 * 1024;
/** Statuses without a body, according to the Fetch standard. */
const bodiless = new Set([101, 103, 204, 205, 304]);

type PlainBody = string | Uint8Array | URLSearchParams;

/** Whether `leanFetch` can send the request: the body is not a stream or a form. */
export function isPlain(init: RequestInit): init is RequestInit & { body?: PlainBody | null } {
  const { body } = init;
  return (
    body == null || typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams
  );
}

/**
 * Fetch without features that API calls do not need: no redirects, no cache, no cookies, and no web streams around a small
 * body. Rejects with the errors of undici's `request`.
 */
export async function leanFetch(
  dispatcher: Dispatcher,
  url: URL,
  init: RequestInit & { body?: PlainBody | null },
  maxBytes: number,
): Promise<Response> {
  const { body } = init;
  const method = (init.method ?? 'GET').toUpperCase() as Dispatcher.HttpMethod;
  if (body != null && (method === 'GET' || method === 'HEAD'))
    throw new TypeError(`${method} takes no body.`);
  const answer = await request(url, {
    dispatcher,
    method,
    headers: requestHeaders(init.headers, body),
    body: body instanceof URLSearchParams ? body.toString() : (body ?? null),
    ...(init.signal == null ? {} : { signal: init.signal }),
  });
  const shape = {
    status: answer.statusCode,
    statusText: answer.statusText,
    headers: responseHeaders(answer.headers),
  };
  const encoding = answer.headers['content-encoding'];
  if (bodiless.has(answer.statusCode) || method === 'HEAD') {
    await answer.body.dump();
    return new Response(null, shape);
  }
  if (encoding === undefined && Number(answer.headers['content-length']) <= bufferedBytes) {
    return new BufferedResponse(await answer.body.bytes(), shape);
  }
  const unpacked = typeof encoding === 'string' ? decoded(answer.body, encoding) : answer.body;
  return new Response(webStream(unpacked, new AnswerLimit(maxBytes)), shape);
}

/** Replaces Readable.toWeb, which closes a canceled stream a second time and so raises an uncatchable exception. */
function webStream(source: Readable, limit: AnswerLimit): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks: AsyncIterator<Uint8Array<ArrayBuffer>> = source[Symbol.asyncIterator]();
  // Prevents an uncaught error after a cancel. The reader gets the error from the iterator.
  source.on('error', () => undefined);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        try {
          limit.count(value);
        } catch (error) {
          source.destroy();
          throw error;
        }
        controller.enqueue(value);
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

function requestHeaders(
  given: RequestInit['headers'],
  body: PlainBody | null | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { accept: '*/*' };
  for (const [name, value] of pairs(given)) headers[name.toLowerCase()] = String(value);
  if (headers['content-type'] === undefined && typeof body === 'string') {
    headers['content-type'] = 'text/plain;charset=UTF-8';
  } else if (headers['content-type'] === undefined && body instanceof URLSearchParams) {
    headers['content-type'] = 'application/x-www-form-urlencoded;charset=UTF-8';
  }
  return headers;
}

function pairs(given: RequestInit['headers']): Iterable<readonly [string, unknown]> {
  if (given === undefined) return [];
  if (Symbol.iterator in given) return given as Iterable<[string, string]>;
  return Object.entries(given);
}

function responseHeaders(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') headers.append(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}

/** Decompresses a body. A server may compress a response although the request does not ask for it. */
function decoded(body: Readable, encoding: string): Readable {
  const unpack = { br: createBrotliDecompress, deflate: createInflate, gzip: createUnzip }[encoding];
  if (unpack === undefined) return body;
  // `pipeline` ends both streams when one of them ends, and the reader gets the error. In Node 24, an abandoned composed stream
  // raises an error that no caller can catch.
  return pipeline(body, unpack(), () => undefined);
}
