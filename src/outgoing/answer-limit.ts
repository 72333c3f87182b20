/** Larger than any platform response or stored file. An endless response cannot exhaust the memory. */
export const ANSWER_BYTES = 32 * 1024 * 1024;

/** Counts decompressed bytes of a response. Raises if there are more than allowed. */
export class AnswerLimit {
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  count(chunk: Uint8Array): void {
    this.#left -= chunk.length;
    if (this.#left < 0) throw new TypeError('The answer is too large.');
  }
}

/** Limits a response. Its body ends with an error if it is longer. */
export function limited(response: Response, maxBytes: number): Response {
  const { body, headers } = response;
  const declared = headers.has('content-encoding')
    ? Number.NaN
    : Number(headers.get('content-length') ?? Number.NaN);
  if (body === null || declared <= maxBytes) return response;
  const limit = new AnswerLimit(maxBytes);
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      limit.count(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counted), response);
}
