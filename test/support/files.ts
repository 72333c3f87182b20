import { createServer } from 'node:http';
import { deflateSync } from 'node:zlib';
import { listenOnLoopback } from './loopback-receiver.js';

/** A PNG of one colour. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(height * (1 + width * 3)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const told = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(told.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(told, 4);
  framed.writeUInt32BE(crc32(told), told.length + 4);
  return framed;
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

export interface FormPart {
  readonly name: string;
  readonly value: string | Buffer;
  readonly fileName?: string;
  readonly type?: string;
}

/** A multipart body with its headers. The boundary differs each time. */
export function formOf(parts: readonly FormPart[]): { body: Buffer; headers: Record<string, string> } {
  const boundary = `part-${Math.random().toString(36).slice(2)}`;
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${
        fileName === undefined ? '' : `; filename="${fileName}"`
      }\r\n${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** The response of a file server for one path. */
export interface ServedFile {
  readonly status?: number;
  readonly type?: string;
  readonly body?: Buffer;
  readonly location?: string;
  /** The response is held until this resolves. */
  readonly until?: Promise<unknown>;
}

/** A server that provides files. `asked` counts the requests per path. */
export async function fileServer(files: Record<string, ServedFile | ServedFile[]>) {
  const asked: Record<string, number> = {};
  const server = createServer(async ({ url = '' }, response) => {
    const count = asked[url] ?? 0;
    asked[url] = count + 1;
    const found = files[url];
    const file = Array.isArray(found) ? found[Math.min(count, found.length - 1)] : found;
    await file?.until;
    const headers = {
      ...(file?.type === undefined ? {} : { 'content-type': file.type }),
      ...(file?.location === undefined ? {} : { location: file.location }),
    };
    response.writeHead(file === undefined ? 404 : (file.status ?? 200), headers).end(file?.body);
  });
  return { ...(await listenOnLoopback(server)), asked };
}
