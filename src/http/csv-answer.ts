import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TakeOver } from './route.js';

/** Sends lines of CSV as they come. What goes wrong before the first one is an error of the request; later it cuts the answer. */
export async function csvAnswer(fileName: string, lines: AsyncGenerator<string>): Promise<TakeOver> {
  const first = await lines.next();
  async function* all() {
    if (first.done !== true) yield first.value;
    yield* lines;
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
