import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type FieldCode, invalidField } from '../core/common/errors.js';
import { exceededBound, type JsonBounds } from './json-bounds.js';
import { readMediaType } from './media-type.js';

const MAX_DEPTH = 32;
/**
 * A larger body would take too long to parse. 10,000 recipients with variables are 20,000 objects, and metadata has at most 50
 * names.
 */
const BOUNDS: JsonBounds = { depth: MAX_DEPTH, containers: 25_000, names: 10_000 };
/** Shorter bodies are always parsed quickly, so they are not checked. */
const CHECKED_BYTES = 65_536;
const UTF_8 = /^charset=(?:utf-8|"utf-8")$/i;
const UNPAIRED_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const EMPTY = Buffer.alloc(0);

/** Maximum size of a JSON body. */
export const jsonBytes = 1_048_576;

/** Reads the whole body. Throws `invalid_request` beyond `maxBytes`. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (Number(length) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  if (length === '0' && encoding === undefined) return Promise.resolve(EMPTY);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        // Read and discard the rest, so that the client can read the response.
        request.removeAllListeners('data').resume();
        reject(tooLarge(maxBytes));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const endedEarly = () => reject(wrong('malformed', 'The body ended early.'));
    request.on('error', endedEarly);
    request.on('close', () => {
      if (!request.readableEnded) endedEarly();
    });
  });
}

/** Throws `invalid_request` for a compressed body. */
export function requirePlain(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || /^identity$/i.test(contentEncoding)) return;
  throw invalidField('Content-Encoding', 'unsupported', 'Send the body without compression.');
}

/** Parses the JSON object in a body. An empty body is an empty object. Throws `invalid_request` for anything else. */
export function parseJsonBody(body: Buffer, contentType: string | undefined): Record<string, unknown> {
  if (body.length === 0) return {};
  if (contentType === undefined || !isJson(contentType)) {
    throw wrong('unsupported', 'Expected Content-Type: application/json.');
  }
  if (!isUtf8(body)) throw wrong('malformed', 'Expected UTF-8.');
  checkBounds(body);
  const text = body.toString();
  const value = parse(text);
  if (!isObject(value)) throw wrong('invalid_type', 'Expected a JSON object.');
  // In valid UTF-8, only an escape can produce U+0000 or an unpaired surrogate.
  inspect(value, text.includes('\\u'), '', 1);
  return value;
}

function isJson(contentType: string): boolean {
  const { essence, parameters } = readMediaType(contentType);
  return (
    essence === 'application/json' && parameters.length <= 1 && parameters.every((one) => UTF_8.test(one))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether text can be stored: no U+0000 and no unpaired surrogate. */
export function isWellFormed(text: string): boolean {
  return !text.includes('\0') && !UNPAIRED_SURROGATE.test(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong('malformed', 'Expected valid JSON.');
    throw error;
  }
}

/** Refuses a body that would take too long to parse, before it is parsed. */
function checkBounds(body: Buffer): void {
  if (body.length < CHECKED_BYTES) return;
  const exceeded = exceededBound(body, BOUNDS);
  if (exceeded === 'depth') throw tooDeep();
  if (exceeded === 'containers') {
    throw wrong('too_many', `Expected at most ${BOUNDS.containers} objects and lists in a body.`);
  }
  if (exceeded === 'names')
    throw wrong('too_many', `Expected at most ${BOUNDS.names} different names in a body.`);
}

function inspect(value: object, checkTexts: boolean, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  for (const key of Object.keys(value)) {
    // `__proto__` has a special meaning in JavaScript objects. Only data that is stored as sent may contain it.
    if (key === '__proto__' && path !== '' && !isFree(path))
      throw invalidField(within(path, key), 'invalid_value', 'Expected another name.');
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'object' && item !== null) inspect(item, checkTexts, within(path, key), depth + 1);
    // A number beyond the range of doubles, such as 1e400, is read as infinity, which JSON cannot express.
    if (item === Number.POSITIVE_INFINITY || item === Number.NEGATIVE_INFINITY)
      throw invalidField(within(path, key), 'too_large', 'Expected a number of at most 1.8e308.');
    if (checkTexts && !(isWellFormed(key) && (typeof item !== 'string' || isWellFormed(item)))) {
      const field = isWellFormed(key) ? within(path, key) : path;
      throw invalidField(field, 'malformed', 'Expected text without U+0000 and unpaired surrogates.');
    }
  }
}

/** Whether a path leads into free-form data of the client. */
function isFree(path: string): boolean {
  return path.split('.').some((name) => name === 'metadata' || name === 'variables');
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function tooDeep() {
  return wrong('malformed', `Expected at most ${MAX_DEPTH} levels of nesting.`);
}

function tooLarge(maxBytes: number) {
  return wrong('too_large', `Expected a body of at most ${maxBytes} bytes.`);
}

function wrong(code: FieldCode, message: string) {
  return invalidField('', code, message);
}
