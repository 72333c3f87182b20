import { OutgoingError } from '../core/common/outgoing.js';
import { FetchRefused, type MediaDownloads, type RemoteFile } from '../core/media/ports.js';
import type { Guard } from './guard.js';

/** Downloads files through the guard: one attempt, no redirects, the body as a stream. */
export class GuardedDownloads implements MediaDownloads {
  constructor(private readonly guard: Pick<Guard, 'fetch'>) {}

  async open(url: string, signal: AbortSignal): Promise<RemoteFile> {
    const response = await this.guard.fetch(url, {
      signal,
      headers: { accept: '*/*', 'user-agent': 'Trunkline' },
    });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      throw new FetchRefused(response.status);
    }
    return {
      body: chunksOf(response.body),
      name: nameIn(url),
      mimeType: response.headers.get('content-type') ?? undefined,
    };
  }
}

/** Reports a connection that breaks during the body like one that breaks before it. */
async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw error instanceof TypeError ? new OutgoingError('connection', 'unknown') : error;
  }
}

/** The last part of the path, if it looks like the name of a file. */
function nameIn(url: string): string | undefined {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  if (!/\.[A-Za-z0-9]{1,8}$/.test(last)) return undefined;
  try {
    return decodeURIComponent(last);
  } catch (error) {
    if (error instanceof URIError) return last;
    throw error;
  }
}
