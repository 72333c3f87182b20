/** The body of a request that is read from somewhere while it is sent. */
export interface SentBody {
  readonly stream: ReadableStream<Uint8Array>;
  /**
   * Whether its end was reached. Before that the end of the request can't have been written, and what has no end is no
   * request: a server must not act on it (RFC 9112, section 8).
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
