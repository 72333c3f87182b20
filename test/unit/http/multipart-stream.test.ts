import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { FileTooLarge, type StagedFile } from '../../../src/core/media/ports.js';
import { streamMultipart } from '../../../src/http/multipart-stream.js';

async function encoded(form: FormData) {
  const answer = new Response(form);
  const body = Readable.from([Buffer.from(await answer.arrayBuffer())]);
  return {
    request: body as unknown as IncomingMessage,
    type: answer.headers.get('content-type') ?? '',
  };
}

async function refuseAll(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile> {
  for await (const _ of source) throw new FileTooLarge(maxBytes);
  throw new Error('nothing came');
}

it('a file that is too large causes one error and no unhandled rejection', async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', note);
  try {
    const form = new FormData();
    form.set('name', 'x');
    form.set('file', new File(['hello'], 'a.txt', { type: 'text/plain' }));
    const { request, type } = await encoded(form);
    const wanted = { part: 'file', maxBytes: 3, stage: refuseAll, discard: async () => undefined };
    await expect(streamMultipart(request, type, wanted)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: [{ field: 'file', code: 'too_large' }] },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});

/** Reads to the end and stores nothing. `ended` counts the finished reads, failed ones included. */
function countingStage() {
  const count = { begun: 0, ended: 0 };
  const stage = async (source: AsyncIterable<Uint8Array>): Promise<StagedFile> => {
    count.begun += 1;
    let sizeBytes = 0;
    try {
      for await (const chunk of source) sizeBytes += chunk.length;
    } finally {
      count.ended += 1;
    }
    return { path: '/nowhere', sizeBytes, sha256: String(sizeBytes) };
  };
  return { count, wanted: { part: 'file', maxBytes: 1_000, stage, discard: async () => undefined } };
}

const TYPE = 'multipart/form-data; boundary=b';
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
const fieldHead = (name: string, more = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n${more}\r\n`;

function requestOf(...pieces: (string | Buffer)[]): IncomingMessage {
  return Readable.from([Buffer.concat(pieces.map((piece) => Buffer.from(piece)))]) as IncomingMessage;
}

it('a client that disconnects during its file leaves no pending read', async () => {
  const { count, wanted } = countingStage();
  const request = new PassThrough();
  request.write(`${FILE}hello`);
  const read = streamMultipart(request as unknown as IncomingMessage, TYPE, wanted);
  await expect.poll(() => count.begun).toBe(1);
  request.destroy();
  await expect(read).rejects.toMatchObject({ code: 'invalid_request' });
  expect(count.ended).toBe(1);
});

it('a body that ends during its file is malformed, and leaves no pending read', async () => {
  const { count, wanted } = countingStage();
  await expect(streamMultipart(requestOf(`${FILE}hello`), TYPE, wanted)).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect(count.ended).toBe(count.begun);
});

it.each([
  ['without a charset', ''],
  ['as UTF-8', 'content-type: text/plain; charset=utf-8\r\n'],
])(
  'a field that is sent %s is refused if it is no UTF-8, but may contain the replacement character',
  async (_, more) => {
    const { wanted } = countingStage();
    const body = (name: Buffer) => requestOf(fieldHead('name', more), name, `\r\n${FILE}hello\r\n--b--\r\n`);
    await expect(streamMultipart(body(Buffer.from([0x41, 0xff])), TYPE, wanted)).rejects.toMatchObject({
      details: { fields: [{ field: 'name', code: 'malformed' }] },
    });
    const { fields, file } = await streamMultipart(body(Buffer.from('Ünï \ufffd')), TYPE, wanted);
    expect([fields, file?.sizeBytes]).toEqual([{ name: 'Ünï \ufffd' }, 5]);
  },
);

it('the digest of a request includes the parts that are ignored', async () => {
  const { wanted } = countingStage();
  const digestOf = async (content: string) => {
    const other = `--b\r\ncontent-disposition: form-data; name="other"; filename="b"\r\n\r\n${content}\r\n`;
    const form = await streamMultipart(requestOf(other, `${FILE}hello\r\n--b--\r\n`), TYPE, wanted);
    expect([form.ignored, form.file?.sizeBytes]).toEqual([['other'], 5]);
    return form.digest.toString('hex');
  };
  const [one, again, other] = [await digestOf('x'), await digestOf('x'), await digestOf('y')];
  expect([one === again, one === other]).toEqual([true, false]);
});

it('a file far above its limit is read to its end and refused', async () => {
  const { count, wanted } = countingStage();
  const request = requestOf(FILE, Buffer.alloc(5_000_000, 'x'), '\r\n--b--\r\n');
  await expect(streamMultipart(request, TYPE, wanted)).rejects.toMatchObject({
    details: { fields: [{ field: 'file', code: 'too_large' }] },
  });
  expect(count.ended).toBe(1);
});

it('a field may have 64 KiB and occur once', async () => {
  const { wanted } = countingStage();
  const body = (...values: string[]) =>
    requestOf(...values.map((value) => `${fieldHead('name')}${value}\r\n`), '--b--\r\n');
  const { fields } = await streamMultipart(body('x'.repeat(65_536)), TYPE, wanted);
  expect(fields.name).toHaveLength(65_536);
  for (const [values, code] of [
    [['x'.repeat(65_537)], 'too_long'],
    [['x', 'x'], 'duplicate'],
  ] as const) {
    await expect(streamMultipart(body(...values), TYPE, wanted)).rejects.toMatchObject({
      details: { fields: [{ field: 'name', code }] },
    });
  }
});

it('a file is read no faster than it is written to disk, whatever its size', async () => {
  const piece = Buffer.alloc(65_536, 'x');
  let sent = 0;
  async function* body() {
    yield Buffer.from(FILE);
    for (; sent < 800; sent += 1) yield piece;
    yield Buffer.from('\r\n--b--\r\n');
  }
  let write: () => void = () => undefined;
  const disk = new Promise<void>((resolve) => {
    write = resolve;
  });
  const stage = async (source: AsyncIterable<Uint8Array>): Promise<StagedFile> => {
    let sizeBytes = 0;
    for await (const chunk of source) {
      await disk;
      sizeBytes += chunk.length;
    }
    return { path: '/nowhere', sizeBytes, sha256: '' };
  };
  const wanted = { part: 'file', maxBytes: 2 ** 26, stage, discard: async () => undefined };
  const request = Readable.from(body()) as unknown as IncomingMessage;
  const form = streamMultipart(request, TYPE, wanted);
  // The disk is busy. Without backpressure the client would send all 50 MiB now.
  for (let turn = 0; turn < 2_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBeGreaterThan(0);
  expect(sent * piece.length).toBeLessThan(2 ** 21);
  write();
  expect((await form).file?.sizeBytes).toBe(800 * piece.length);
});
