/** A streamed request body. */
export interface SentBody {
  readonly stream: ReadableStream<Uint8Array>;
  /**
   * Whether the body was read to its end. Before that, the request cannot be complete, and a server must not act on an
   * incomplete request (RFC 9112, section 8).
   */
  readonly isWhole: () => boolean;
}

export function sentBody(source: ReadableStream<Uint8Array>): SentBody {
  const reader = source.getReader();
  let whole = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          whole = true;
          controller.close();
        } else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, isWhole: () => whole };
}
