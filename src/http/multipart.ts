import { createHash } from 'node:crypto';
import { invalidField } from '../core/errors.js';
import { isWellFormed } from './body.js';

/** One file of a multipart request. */
export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** The parts of a multipart request. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly UploadedFile[];
}

const TYPE = /^multipart\/form-data\s*;/i;

export function isMultipart(contentType: string | undefined): contentType is string {
  return contentType !== undefined && TYPE.test(contentType);
}

/** Reads a multipart body that is already in memory; throws `invalid_request` when it is not one. */
export async function parseMultipart(body: Buffer, contentType: string): Promise<Form> {
  const parts = await partsOf(body, contentType);
  const fields: Record<string, string> = Object.create(null);
  const files: UploadedFile[] = [];
  for (const [field, value] of parts) {
    if (field in fields || files.some((file) => file.field === field)) {
      throw invalidField(field, 'duplicate', 'Expected this part once.');
    }
    if (typeof value === 'string') fields[field] = sentText(field, value, body);
    else files.push(await fileOf(field, value));
  }
  return { fields: { ...fields }, files };
}

/** Digest of names and contents of the parts: the boundary between them does not make another request. */
export function multipartDigest(form: Form): Buffer {
  const hash = createHash('sha256');
  const add = (...values: (string | Buffer)[]) => {
    for (const value of values) hash.update(`${Buffer.byteLength(value)}:`).update(value);
  };
  for (const [name, value] of Object.entries(form.fields)) add('field', name, value);
  for (const file of form.files) add('file', file.field, file.name, file.mimeType, file.bytes);
  return hash.digest();
}

async function partsOf(body: Buffer, contentType: string) {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData();
    return [...form.entries()];
  } catch (error) {
    if (error instanceof TypeError)
      throw invalidField('', 'malformed', 'Expected valid multipart/form-data.');
    throw error;
  }
}

async function fileOf(field: string, file: File): Promise<UploadedFile> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { field, name: text(field, file.name), mimeType: file.type || 'application/octet-stream', bytes };
}

const REPLACEMENT = '\ufffd';

/** The reader of the form puts U+FFFD in place of what is no UTF-8: then the body doesn't have this text. */
function sentText(field: string, value: string, body: Buffer): string {
  if (value.includes(REPLACEMENT) && !body.includes(value)) {
    throw invalidField(field, 'malformed', 'Expected UTF-8.');
  }
  return text(field, value);
}

function text(field: string, value: string): string {
  if (!isWellFormed(value)) throw invalidField(field, 'malformed', 'Expected text without U+0000.');
  return value;
}
