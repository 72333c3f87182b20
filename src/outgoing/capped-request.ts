import { type Dispatcher, request } from 'undici';
import { type OutgoingAnswer, OutgoingError, type OutgoingRequest } from '../core/common/outgoing.js';
import { requestProblem } from './problem.js';

export interface RequestCaps {
  readonly totalTimeoutMs: number;
  readonly answerBytes: number;
}

/** Sends one request within the caps. The part of the response above its cap is not read, and the connection is closed. */
export async function cappedRequest(
  dispatcher: Dispatcher,
  wanted: OutgoingRequest,
  caps: RequestCaps,
): Promise<OutgoingAnswer> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new OutgoingError('timeout', 'unknown')), caps.totalTimeoutMs);
  const onAbort = () => stop.abort(wanted.signal?.reason);
  if (wanted.signal?.aborted) onAbort();
  wanted.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const answer = await request(wanted.url, {
      dispatcher,
      method: wanted.method as Dispatcher.HttpMethod,
      headers: { ...wanted.headers },
      body: wanted.body ?? null,
      signal: stop.signal,
    });
    const body = await readUpTo(answer.body, caps.answerBytes);
    return { status: answer.statusCode, headers: answer.headers, body };
  } catch (error) {
    if (wanted.signal?.aborted) throw wanted.signal.reason;
    throw stop.signal.aborted ? stop.signal.reason : requestProblem(error);
  } finally {
    clearTimeout(timer);
    wanted.signal?.removeEventListener('abort', onAbort);
  }
}

async function readUpTo(body: AsyncIterable<Uint8Array>, cap: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, cap - size));
    size += chunk.length;
    if (size >= cap) break; // leaving the loop destroys the stream
  }
  return Buffer.concat(chunks);
}
