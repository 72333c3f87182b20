import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import type { SimulatedRequest } from './server.js';

/** A file on a simulated platform, as people see and send it. */
export interface SimulatedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

export interface SimulatedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, SimulatedFile>;
}

/** The parts of a multipart request, parsed as leniently as platforms do. Undefined for any other request. */
export function readForm({ headers, body }: SimulatedRequest): SimulatedForm | undefined {
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  const fields: Record<string, string> = {};
  const files = new Map<string, SimulatedFile>();
  for (const { head, content } of partsOf(body, boundary)) {
    const name = /\bname="([^"]*)"/i.exec(head)?.[1] ?? '';
    const fileName = /\bfilename="?([^"\r\n;]*)/i.exec(head)?.[1];
    if (fileName === undefined) fields[name] = content.toString();
    else {
      const mimeType = /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1] ?? 'application/octet-stream';
      files.set(name, { name: fileName, mimeType, bytes: content });
    }
  }
  return { fields, files };
}

/** The data of a file that the ledger keeps. */
export function fileSummary({ name, mimeType, bytes }: SimulatedFile): JsonObject {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, mime_type: mimeType, size: bytes.length, sha256 };
}

/** Splits a body by RFC 2046: each part is between two delimiters, and an empty line ends its header. */
function* partsOf(body: Buffer, boundary: string): Generator<{ head: string; content: Buffer }> {
  const delimiter = `--${boundary}`;
  let start = body.indexOf(delimiter);
  while (start !== -1) {
    const next = body.indexOf(`\r\n${delimiter}`, start + delimiter.length);
    if (next === -1) return;
    const part = body.subarray(start + delimiter.length, next);
    const split = part.indexOf('\r\n\r\n');
    if (split !== -1) yield { head: part.toString('utf8', 0, split), content: part.subarray(split + 4) };
    start = next + 2;
  }
}
