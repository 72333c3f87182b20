import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { linkedSignal } from '../../contract/abort.js';
import type { GuideOpener, GuideState } from '../../core/extras/tv/ports.js';
import type { Guard } from '../guard.js';

type Bytes = AsyncIterable<Uint8Array>;
type Opened = NonNullable<Awaited<ReturnType<GuideOpener['open']>>>;

const MAX_READ_MS = 20 * 60_000;
const MAX_REDIRECTS = 3;
/** Maximum size after decompression. A compressed file of a few kilobytes can expand without limit. */
const MAX_BYTES = 2 * 1024 ** 3;

/** Opens guides from files, or through the guard from http and https URLs. They may be gzipped and in any encoding. */
export class GuardedGuideOpener implements GuideOpener {
  constructor(private readonly guard: Pick<Guard, 'fetch'>) {}

  async open(location: string, known: GuideState, signal: AbortSignal): Promise<Opened | undefined> {
    if (!/^https?:\/\//i.test(location)) return openFile(location, known, signal);
    const stop = new AbortController();
    const limit = linkedSignal(signal, AbortSignal.timeout(MAX_READ_MS), stop.signal);
    // Ends a response that was not read to its end.
    const end = () => {
      stop.abort();
      limit.release();
    };
    try {
      const opened = await this.#openAddress(location, known, limit.signal);
      if (opened === undefined) end();
      return opened && { ...opened, text: endingWith(opened.text, end) };
    } catch (error) {
      end();
      throw error;
    }
  }

  async #openAddress(address: string, known: GuideState, signal: AbortSignal): Promise<Opened | undefined> {
    const headers = {
      ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
      ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
    };
    let url = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const answer = await this.guard.fetch(url, { headers, signal }, MAX_BYTES);
      if (answer.status === 304) return undefined;
      const target = answer.headers.get('location');
      if (answer.status >= 300 && answer.status < 400 && target !== null) {
        await answer.body?.cancel();
        url = new URL(target, url).href;
        continue;
      }
      if (answer.status !== 200 || answer.body === null) {
        await answer.body?.cancel();
        throw new Error(`The server answered ${answer.status}.`);
      }
      const received = answer.headers;
      const state = { etag: received.get('etag'), lastModified: received.get('last-modified') };
      return { state, text: decoded(unpacked(answer.body as unknown as Bytes)) };
    }
    throw new Error('The server redirects too often.');
  }
}

async function* endingWith<T>(items: AsyncIterable<T>, end: () => void): AsyncGenerator<T> {
  try {
    yield* items;
  } finally {
    end();
  }
}

async function openFile(path: string, known: GuideState, signal: AbortSignal): Promise<Opened | undefined> {
  const { size, mtimeMs } = await stat(path);
  const state = { etag: `${size}-${mtimeMs}`, lastModified: null };
  if (state.etag === known.etag) return undefined;
  const bytes = createReadStream(path, { signal });
  return { state, text: endingWith(decoded(unpacked(bytes)), () => bytes.destroy()) };
}

/** Detects gzip by the first two bytes. The file name and the response headers are ignored. */
async function* unpacked(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return;
  const all = rest(first.value, pieces);
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  pipeline(Readable.from(all), gunzip, () => undefined); // a failure is raised where `gunzip` is read
  yield* gunzip;
}

async function* rest(first: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

/** Decodes with the encoding that the first line names. Default: UTF-8. */
async function* decoded(bytes: Bytes): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Error('The guide is too large.');
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

function encodingOf(start: Uint8Array): string {
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1');
  return /^[^>]*\bencoding=["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8';
}
