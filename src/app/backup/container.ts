import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Version of the format. It increases when older releases can't read the new format. */
const FORMAT = 1;
const CHUNK_BYTES = 65_536;
/** A longer chunk means that the file is not one of our backups. */
const MAX_BYTES = 2 ** 28;
const LENGTH_BYTES = 4;
const HASH_BYTES = 32;

/** The file can't be restored. The message says what to do. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

/** Header of a part. */
export interface PartHeader {
  readonly kind: 'backup' | 'table' | 'media' | 'end';
  readonly [key: string]: unknown;
}

/** A part and its chunks, which must be read before the next part. */
export interface Part {
  readonly header: PartHeader;
  readonly chunks: AsyncGenerator<Buffer>;
}

/**
 * Writes a backup file, which is a gzip stream of parts. Each part is a length and a JSON header, then chunks with their
 * lengths, a length of zero, and the SHA-256 of header and chunks. Each header has the number of its part. The file gets its
 * final name after all data is on disk.
 */
export async function writeContainer(
  path: string,
  parts: AsyncIterable<{ header: PartHeader; chunks: AsyncIterable<Buffer> }>,
): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(aside, 'wx', 0o600);
  try {
    await writeAll(parts, (chunk) => file.writeFile(chunk));
    await file.sync();
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(aside, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

/** Writes the same format to a stream, at the speed of its reader. Data that was written before a failure can't be taken back. */
export async function streamContainer(
  stream: Writable,
  parts: AsyncIterable<{ header: PartHeader; chunks: AsyncIterable<Buffer> }>,
): Promise<void> {
  // Each write reports its failure. Without a listener, the error event would end the process.
  const ignore = () => undefined;
  stream.on('error', ignore);
  try {
    await writeAll(
      parts,
      (chunk) =>
        new Promise((resolve, reject) => stream.write(chunk, (error) => (error ? reject(error) : resolve()))),
    );
  } finally {
    stream.off('error', ignore);
  }
}

async function writeAll(
  parts: AsyncIterable<{ header: PartHeader; chunks: AsyncIterable<Buffer> }>,
  write: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  try {
    const source = Readable.from(frames(parts), { objectMode: true });
    await pipeline(source, createGzip({ level: 1 }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks)
        await write(chunk).catch((error: unknown) => {
          failure = error;
          throw error;
        });
    });
  } catch (error) {
    // The pipeline may report only that it was aborted, so the original failure has priority.
    throw failure ?? error;
  }
}

async function* frames(
  parts: AsyncIterable<{ header: PartHeader; chunks: AsyncIterable<Buffer> }>,
): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const { header, chunks } of parts) {
    const text = Buffer.from(JSON.stringify({ ...header, format: FORMAT, part: count }));
    const hash = createHash('sha256').update(text);
    yield framed(text);
    for await (const chunk of gathered(chunks)) {
      hash.update(chunk);
      yield framed(chunk);
    }
    yield Buffer.concat([Buffer.alloc(LENGTH_BYTES), hash.digest()]);
    count += 1;
  }
}

function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Combines small chunks, because the rows arrive one by one. */
async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Reads the parts of a backup. Throws BackupFileError when the file differs from what was written. */
export async function* readContainer(path: string): AsyncGenerator<Part> {
  const source = createReadStream(path);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  const bytes = new ByteReader(source.pipe(gunzip));
  try {
    for (let index = 0; ; index += 1) {
      const text = await bytes.take(await bytes.length());
      const header = headerOf(text, index);
      const chunks = chunksOf(bytes, text);
      yield { header, chunks };
      for await (const _ of chunks);
      if (header.kind === 'end') return await bytes.end();
    }
  } catch (error) {
    throw translated(error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function headerOf(text: Buffer, index: number): PartHeader {
  const header = JSON.parse(text.toString()) as PartHeader;
  if (index === 0 && header.kind !== 'backup') throw changed();
  if (typeof header.format === 'number' && header.format > FORMAT)
    throw new BackupFileError('A newer version of Trunkline made this file. Restore it with that version.');
  if (header.part !== index) throw changed();
  return header;
}

async function* chunksOf(bytes: ByteReader, text: Buffer): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(text);
  for (;;) {
    const length = await bytes.length();
    if (length === 0) break;
    const chunk = await bytes.take(length);
    hash.update(chunk);
    yield chunk;
  }
  if (!hash.digest().equals(await bytes.take(HASH_BYTES))) throw changed();
}

class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async length(): Promise<number> {
    const length = (await this.take(LENGTH_BYTES)).readUInt32BE();
    if (length > MAX_BYTES) throw changed();
    return length;
  }

  async take(size: number): Promise<Buffer> {
    const pieces = [this.#held];
    let held = this.#held.length;
    while (held < size) {
      const { done, value } = await this.#next();
      if (done) throw changed();
      pieces.push(value);
      held += value.length;
    }
    const all = Buffer.concat(pieces);
    this.#held = all.subarray(size);
    return all.subarray(0, size);
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#source.next();
    } catch (error) {
      throw translated(error);
    }
  }

  /** Checks that the file ends here. Gzip verifies its own checksum with the last byte. */
  async end(): Promise<void> {
    if (this.#held.length > 0 || !(await this.#next()).done) throw changed();
  }
}

function changed(): BackupFileError {
  return new BackupFileError(
    'The file is incomplete or was changed. Take another copy of it, or another backup.',
  );
}

function translated(error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  return error instanceof SyntaxError || code.startsWith('Z_') ? changed() : error;
}
