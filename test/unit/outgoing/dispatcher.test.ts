import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDispatcher } from '../../../src/outgoing/dispatcher.js';

let server: Server;
let url: string;
let requests = 0;

beforeEach(async () => {
  requests = 0;
  server = createServer((_request, response) => {
    requests += 1;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://platform.example:${(server.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  vi.useRealTimers();
  await new Promise((resolve) => server.close(resolve));
});

/** Simulates elapsed time while the connection is opened. */
async function ask(standsStillMs: number) {
  vi.useFakeTimers({ toFake: ['performance'] });
  const targets = {
    assertUrl: () => undefined,
    addresses: async () => {
      vi.advanceTimersByTime(standsStillMs);
      return [{ address: '127.0.0.1', family: 4 as const }];
    },
  };
  const dispatcher = createDispatcher(targets as never, { connectTimeoutMs: 10_000 });
  try {
    return await request(url, { dispatcher }).then(({ body }) => body.text());
  } finally {
    await dispatcher.destroy();
  }
}

describe('a process that is suspended while it connects', () => {
  it('sends nothing on a connection that opens after the timeout', async () => {
    await expect(ask(30_000)).rejects.toMatchObject({ problem: 'timeout', dispatched: 'no' });
    expect(requests).toBe(0);
  });

  it('sends its request if the connection opens in time', async () => {
    await expect(ask(5_000)).resolves.toBe('ok');
    expect(requests).toBe(1);
  });
});

it('requests that hang do not keep other requests from the same server, however many they are', async () => {
  const held: ServerResponse[] = [];
  const platform = createServer((request, response) => {
    if (request.url === '/hang') held.push(response);
    else response.end('ok');
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const origin = `http://platform.example:${(platform.address() as AddressInfo).port}`;
  const addresses = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const dispatcher = createDispatcher({ assertUrl: () => undefined, addresses } as never, {
    connectTimeoutMs: 10_000,
  });
  // As many long polls as an installation with 400 bots has.
  const polls = Array.from({ length: 400 }, () =>
    request(`${origin}/hang`, { dispatcher }).catch(() => undefined),
  );
  await vi.waitFor(() => expect(held.length).toBe(polls.length), { timeout: 30_000 });
  expect(await request(`${origin}/send`, { dispatcher }).then(({ body }) => body.text())).toBe('ok');
  await dispatcher.destroy();
  await Promise.all(polls);
  platform.closeAllConnections();
  await new Promise((resolve) => platform.close(resolve));
});
