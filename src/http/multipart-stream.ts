import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type Dicer } from '@fastify/busboy';
import { invalidField } from '../core/common/errors.js';
import { FileTooLarge, type StagedFile } from '../core/media/ports.js';
import { isWellFormed } from './body.js';

/** What a route expects of a file that may be too large for memory. */
export interface StreamedUpload {
  /** Name of the part. Other parts with a file are ignored. */
  readonly part: string;
  readonly maxBytes: number;
  readonly stage: (source: AsyncIterable<Uint8Array>, maxBytes: number) => Promise<StagedFile>;
  readonly discard: (file: StagedFile) => Promise<void>;
  /** Whether the part is the file even without a file name and type, as in forms with text. */
  readonly takesText?: boolean;
}

/** A file of a multipart request that was written to disk while it arrived. */
export interface StreamedFile extends StagedFile {
  readonly part: string;
  readonly name: string | undefined;
  readonly mimeType: string | undefined;
}

/** The parts of a multipart request, with its file on disk. */
export interface StreamedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: StreamedFile | undefined;
  /** Names of ignored parts. */
  readonly ignored: readonly string[];
  /** Digest of the names and contents of all parts. */
  readonly digest: Buffer;
  /** Removes the file unless it was kept. */
  discard(): Promise<void>;
}

const FIELD_BYTES = 65_536;
const MAX_PARTS = 32;

/** Parses a multipart body while it arrives. If it is not valid, throws `invalid_request` and leaves nothing on disk. */
export async function streamMultipart(
  request: IncomingMessage,
  contentType: string,
  wanted: StreamedUpload,
): Promise<StreamedForm> {
  const parts = new Parts(wanted);
  try {
    await pass(request, contentType, parts);
    return await parts.form();
  } catch (error) {
    // Read and discard the rest, so that the client can read the response.
    request.unpipe();
    request.resume();
    await parts.abandon();
    throw error instanceof FileTooLarge ? tooLarge(wanted) : error;
  }
}

/** Resolves when the last part has been read. */
function pass(request: IncomingMessage, contentType: string, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = parserOf(contentType, parts.wanted.maxBytes);
    const hasType = watchTypes(parser);
    parser.on('file', (name: string | undefined, stream, fileName, _encoding, reported) => {
      const mimeType = hasType() ? reported : undefined;
      // The reader of the stream raises its errors. If the reader stops early, the stream emits another error, which would hide
      // the reason.
      stream.on('error', () => undefined);
      attempt(() => parts.add(name, { stream, fileName, mimeType }, reject), reject);
    });
    parser.on('partsLimit', () =>
      reject(invalidField('', 'too_many', `Expected at most ${MAX_PARTS} parts.`)),
    );
    parser.on('error', () => reject(malformed()));
    parser.on('finish', resolve);
    const endedEarly = () => reject(invalidField('', 'malformed', 'The body ended early.'));
    request.on('error', endedEarly);
    request.on('close', () => {
      if (!request.readableEnded) endedEarly();
    });
    request.pipe(parser);
  });
}

function attempt(add: () => void, reject: (error: unknown) => void): void {
  try {
    add();
  } catch (error) {
    reject(error);
  }
}

function parserOf(contentType: string, maxBytes: number) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize: Math.max(maxBytes, FIELD_BYTES + 1), parts: MAX_PARTS, headerPairs: 32 },
      // Treat all parts as files and decode the text of fields here, because the parser would replace invalid UTF-8.
      isPartAFile: () => true,
    });
  } catch {
    throw malformed();
  }
}

/**
 * Returns whether the part whose headers were read last has a content type. The parser reports `text/plain` for a part without
 * one, but many clients send a file of any kind without one.
 */
function watchTypes(parser: object): () => boolean {
  let hasType = true;
  const { _parser: inner } = parser as { _parser?: { parser?: Dicer } };
  inner?.parser?.prependListener('part', (part: Dicer.PartStream) => {
    part.on('header', (header: Record<string, string[] | undefined>) => {
      hasType = (header['content-type']?.[0] ?? '') !== '';
    });
  });
  return () => hasType;
}

/** A part, as the parser reports it. */
interface Part {
  readonly stream: BusboyFileStream;
  readonly fileName: string | undefined;
  /** Undefined if the part has no content type. */
  readonly mimeType: string | undefined;
}

/** Collects the parts while they arrive. */
class Parts {
  readonly #fields = new Map<string, Promise<string>>();
  readonly #ignored: string[] = [];
  readonly #digested: (string | Promise<string | StreamedFile>)[] = [];
  readonly #streams: BusboyFileStream[] = [];
  #file: Promise<StreamedFile> | undefined;

  constructor(readonly wanted: StreamedUpload) {}

  add(name: string | undefined, part: Part, failed: (error: unknown) => void): void {
    this.#streams.push(part.stream);
    if (name === undefined) throw malformed();
    if (!this.#isFile(name, part)) {
      this.#refuseRepeat(name);
      const value = textOf(name, part.stream);
      value.catch(failed);
      this.#fields.set(name, value);
      this.#digested.push('field', name, value);
    } else if (name === this.wanted.part) {
      this.#refuseRepeat(name);
      this.#file = this.#stage(part);
      this.#file.catch(failed);
      this.#digested.push('file', name, part.fileName ?? '', part.mimeType ?? '', this.#file);
    } else {
      const digest = digestOf(part.stream);
      digest.catch(failed);
      this.#ignored.push(name);
      this.#digested.push('ignored', name, part.fileName ?? '', part.mimeType ?? '', digest);
    }
  }

  /**
   * Whether a part is a file. A file may have no name (RFC 7578, 4.2), and the default type of text does not make a part a
   * file.
   */
  #isFile(name: string, { fileName, mimeType = 'text/plain' }: Part): boolean {
    if (fileName !== undefined || mimeType === 'application/octet-stream') return true;
    return name === this.wanted.part && (this.wanted.takesText === true || mimeType !== 'text/plain');
  }

  async form(): Promise<StreamedForm> {
    const file = await this.#file;
    const hash = createHash('sha256');
    for (const part of await Promise.all(this.#digested)) {
      const value = typeof part === 'string' ? part : part.sha256;
      hash.update(`${Buffer.byteLength(value)}:`).update(value);
    }
    const read = [...this.#fields].map(async ([name, value]) => [name, await value] as const);
    const fields = Object.fromEntries(await Promise.all(read));
    return { fields, file, ignored: this.#ignored, digest: hash.digest(), discard: () => this.discard() };
  }

  /** Destroys the streams of all parts, because their readers would wait forever. */
  async abandon(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    await this.discard();
  }

  async discard(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    if (file !== undefined) await this.wanted.discard(file);
  }

  async #stage({ stream, fileName: name, mimeType }: Part): Promise<StreamedFile> {
    const { part, maxBytes, stage, discard } = this.wanted;
    const staged = await stage(stream, maxBytes);
    if (stream.truncated) {
      await discard(staged);
      throw new FileTooLarge(maxBytes);
    }
    return { ...staged, part, name: name || undefined, mimeType: mimeType || undefined };
  }

  #refuseRepeat(name: string): void {
    if (this.#fields.has(name) || (name === this.wanted.part && this.#file !== undefined)) {
      throw invalidField(name, 'duplicate', 'Expected this part once.');
    }
  }
}

async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}

/** Reads the text of a field. */
async function textOf(name: string, stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > FIELD_BYTES) throw invalidField(name, 'too_long', `Expected at most ${FIELD_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const value = bytes.toString();
  if (!isUtf8(bytes) || !isWellFormed(name) || !isWellFormed(value)) {
    throw invalidField(name, 'malformed', 'Expected UTF-8 text without U+0000.');
  }
  return value;
}

function malformed() {
  return invalidField('', 'malformed', 'Expected valid multipart/form-data.');
}

function tooLarge({ part, maxBytes }: StreamedUpload) {
  return invalidField(part, 'too_large', `Expected a file of at most ${maxBytes} bytes.`);
}
