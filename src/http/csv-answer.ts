import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TakeOver } from './route.js';

/** Sends lines of CSV as they come. What goes wrong before the first one is an error of the request; later it cuts the answer. */
export async function csvAnswer(fileName: string, lines: AsyncGenerator<string>): Promise<TakeOver> {
  // What is sent after the handler still sees no more than the caller does.
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
    // The pipeline destroys the response of a client that left, or when reading fails.
    (response) => void pipeline(Readable.from(all()), response).catch(() => undefined),
    headers,
    () => void lines.return(undefined),
  );
}
