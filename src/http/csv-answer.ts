import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TakeOver } from './route.js';

/** Streams CSV lines. An error before the first line is an error response. A later error aborts the response. */
export async function csvAnswer(fileName: string, lines: AsyncGenerator<string>): Promise<TakeOver> {
  // Rows that are read after the handler has returned must still be limited to the access of the caller.
  const asCaller = AsyncLocalStorage.snapshot();
  const first = await lines.next();
  async function* all() {
    try {
      for (let line = first; line.done !== true; line = await asCaller(() => lines.next())) yield line.value;
    } finally {
      await lines.return(undefined);
    }
  }
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  };
  return new TakeOver(
    // The pipeline destroys the response when the client disconnects or reading fails.
    (response) => void pipeline(Readable.from(all()), response).catch(() => undefined),
    headers,
    () => void lines.return(undefined),
  );
}
