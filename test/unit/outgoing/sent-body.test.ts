import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutgoingError } from '../../../src/core/common/outgoing.js';
import { GuardedServer } from '../../support/guarded-server.js';

/** Closes the connection after a request's first bytes, or after all of them. */
const server = new GuardedServer((request, response) => {
  if (request.url === '/first') request.once('data', () => request.socket.destroy());
  else if (request.url === '/all') void whole(request).then(() => request.socket.destroy());
  else if (request.url === '/takes') void whole(request).then((length) => response.end(String(length)));
  else request.once('data', () => arrived());
});
const { guard } = server;
let origin: string;
let arrived: () => void = () => undefined;

async function whole(request: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of request) length += (chunk as Buffer).length;
  return length;
}

beforeAll(async () => {
  origin = await server.open();
});

afterAll(() => server.close());

/** `pieces` of 64 KiB, followed by an end or by nothing. */
const body = (pieces: number, ends: boolean) => {
  let left = pieces;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left > 0) controller.enqueue(new Uint8Array(65_536));
      else if (ends) controller.close();
      else return new Promise(() => undefined);
      left -= 1;
      return undefined;
    },
  });
};
const post = (path: string, stream: ReadableStream, signal?: AbortSignal) =>
  guard
    .fetch(`${origin}${path}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit)
    .catch((error: unknown) => error);

describe('a body that is read while it is sent', () => {
  it('arrives whole', async () => {
    const answer = (await post('/takes', body(5, true))) as Response;
    expect(await answer.text()).toBe(String(5 * 65_536));
  });

  it('was not dispatched when the connection ends before it does', async () => {
    const error = await post('/first', body(2, false));
    expect(error).toBeInstanceOf(OutgoingError);
    expect(error).toMatchObject({ problem: 'connection', dispatched: 'no' });
  });

  it('was not dispatched when it is aborted before its end', async () => {
    const stop = new AbortController();
    arrived = () => stop.abort();
    expect(await post('/hangs', body(2, false), stop.signal)).toMatchObject({
      problem: 'timeout',
      dispatched: 'no',
    });
  });

  it('may have been acted on when all of it was written', async () => {
    expect(await post('/all', body(2, true))).toMatchObject({ problem: 'connection', dispatched: 'unknown' });
    const stop = new AbortController();
    arrived = () => setTimeout(() => stop.abort(new Error('enough')), 50);
    expect(await post('/hangs', body(1, true), stop.signal)).toMatchObject({ message: 'enough' });
  });
});
