import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { invalidField } from '../core/errors.js';
import { FileTooLarge, type StagedFile } from '../core/ports/media.js';
import { isWellFormed } from './body.js';

/** What a route wants of a file that may be too large for memory. */
export interface StreamedUpload {
  /** Name of the part; others with a file are passed over. */
  readonly part: string;
  readonly maxBytes: number;
  readonly stage: (source: AsyncIterable<Uint8Array>, maxBytes: number) => Promise<StagedFile>;
  readonly discard: (file: StagedFile) => Promise<void>;
}

/** A file of a multipart request that was written to disk as it came. */
export interface StreamedFile extends StagedFile {
  readonly part: string;
  readonly name: string | undefined;
  readonly mimeType: string | undefined;
}

/** The parts of a multipart request, its file on disk. */
export interface StreamedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: StreamedFile | undefined;
  /** Names of parts that were passed over. */
  readonly ignored: readonly string[];
  /** Over names and contents of the parts. */
  readonly digest: Buffer;
  /** Removes the file unless somebody kept it. */
  discard(): Promise<void>;
}

const FIELD_BYTES = 65_536;
const MOST_PARTS = 32;

/** Reads a multipart body as it comes; throws `invalid_request` when it is not one. Then nothing is left on disk. */
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
    // The rest is read and dropped, so that the client gets to see the answer.
    request.unpipe();
    request.resume();
    await parts.discard();
    throw error instanceof FileTooLarge ? tooLarge(wanted) : error;
  }
}

/** Resolves when the last part is read. */
function pass(request: IncomingMessage, contentType: string, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = parserOf(contentType, parts.wanted.maxBytes);
    parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
      if (name === undefined) reject(malformed());
      else if (nameCut || valueCut)
        reject(invalidField(name, 'too_long', `Expected at most ${FIELD_BYTES} bytes.`));
      else attempt(() => parts.addField(name, value), reject);
    });
    parser.on('file', (name: string | undefined, stream, fileName, _encoding, mimeType) => {
      stream.on('error', reject);
      if (name === undefined) {
        stream.resume();
        return reject(malformed());
      }
      attempt(() => parts.addFile(name, stream, fileName, mimeType, reject), reject);
    });
    parser.on('partsLimit', () =>
      reject(invalidField('', 'too_many', `Expected at most ${MOST_PARTS} parts.`)),
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
      limits: { fileSize: maxBytes, fieldSize: FIELD_BYTES, parts: MOST_PARTS, headerPairs: 32 },
    });
  } catch {
    throw malformed();
  }
}

/** The parts as they come. */
class Parts {
  readonly #fields: Record<string, string> = Object.create(null);
  readonly #ignored: string[] = [];
  readonly #told: (string | Promise<StreamedFile>)[] = [];
  #file: Promise<StreamedFile> | undefined;

  constructor(readonly wanted: StreamedUpload) {}

  addField(name: string, value: string): void {
    this.#refuseRepeat(name);
    if (!isWellFormed(name) || !isWellFormed(value)) {
      throw invalidField(name, 'malformed', 'Expected text without U+0000.');
    }
    this.#fields[name] = value;
    this.#told.push('field', name, value);
  }

  addFile(
    name: string,
    stream: BusboyFileStream,
    fileName: string | undefined,
    mimeType: string,
    failed: (error: unknown) => void,
  ): void {
    if (name !== this.wanted.part) {
      stream.resume();
      this.#ignored.push(name);
      return;
    }
    this.#refuseRepeat(name);
    this.#file = this.#stage(stream, fileName, mimeType);
    this.#file.catch(failed);
    this.#told.push('file', name, fileName ?? '', mimeType, this.#file);
  }

  async form(): Promise<StreamedForm> {
    const file = await this.#file;
    const hash = createHash('sha256');
    for (const told of await Promise.all(this.#told)) {
      const value = typeof told === 'string' ? told : told.sha256;
      hash.update(`${Buffer.byteLength(value)}:`).update(value);
    }
    const fields = { ...this.#fields };
    return { fields, file, ignored: this.#ignored, digest: hash.digest(), discard: () => this.discard() };
  }

  async discard(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    if (file !== undefined) await this.wanted.discard(file);
  }

  async #stage(stream: BusboyFileStream, name: string | undefined, mimeType: string): Promise<StreamedFile> {
    const { part, maxBytes, stage, discard } = this.wanted;
    const staged = await stage(stream, maxBytes);
    if (stream.truncated) {
      await discard(staged);
      throw new FileTooLarge(maxBytes);
    }
    return { ...staged, part, name: name || undefined, mimeType: mimeType || undefined };
  }

  #refuseRepeat(name: string): void {
    if (name in this.#fields || (name === this.wanted.part && this.#file !== undefined)) {
      throw invalidField(name, 'duplicate', 'Expected this part once.');
    }
  }
}

function malformed() {
  return invalidField('', 'malformed', 'Expected valid multipart/form-data.');
}

function tooLarge({ part, maxBytes }: StreamedUpload) {
  return invalidField(part, 'too_large', `Expected a file of at most ${maxBytes} bytes.`);
}
