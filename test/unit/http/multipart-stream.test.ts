import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { FileTooLarge, type StagedFile } from '../../../src/core/ports/media.js';
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

it('a file that is too large is one error, and leaves no promise behind that nobody listens to', async () => {
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
