import type { ServerResponse } from 'node:http';
import { TakeOver } from './route.js';

/** Minimum time between two progress lines. */
const EVERY_MS = 500;

export interface Watch<Progress> {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
}

/**
 * Responds with JSON lines: the progress from time to time, and the result at the end. An error before the first progress is an
 * error response. A later error aborts the response. `mayEnd` is called before the last line.
 */
export async function progressAnswer<Progress>(
  work: (watch: Watch<Progress>) => Promise<object>,
  mayEnd: () => Promise<boolean>,
): Promise<TakeOver> {
  const left = new AbortController();
  let latest: Progress | undefined;
  let done: Promise<object> | undefined;
  const begun = new Promise<void>((resolve, reject) => {
    done = work({
      signal: left.signal,
      onProgress(progress) {
        latest = progress;
        resolve();
      },
    });
    done.then(() => resolve(), reject);
  });
  await begun;
  const start = (response: ServerResponse) => {
    const tell = () => {
      if (latest !== undefined && !response.writableNeedDrain) response.write(`${JSON.stringify(latest)}\n`);
      latest = undefined;
    };
    const timer = setInterval(tell, EVERY_MS);
    response.once('close', () => {
      clearInterval(timer);
      left.abort();
    });
    void finish(response, done ?? Promise.resolve({}), mayEnd);
  };
  return new TakeOver(start, { 'content-type': 'application/x-ndjson' }, () => left.abort());
}

async function finish(response: ServerResponse, done: Promise<object>, mayEnd: () => Promise<boolean>) {
  try {
    const result = await done;
    if (await mayEnd()) response.end(`${JSON.stringify(result)}\n`);
    else response.destroy();
  } catch {
    response.destroy();
  }
}
