import { once } from 'node:events';
import { Agent, request as ask } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { healthcheckAgent } from '../../../src/core/common/healthcheck-agent.js';
import { Drain } from '../../../src/http/drain.js';

/** Far beyond the duration of a test, so that a test that waits for it fails. */
const LIMIT_MS = 60_000;

let server: FastifyInstance;
let drain: Drain;
let draining: boolean;
let arrived: () => void;
let answer: () => void;
const agent = new Agent({ keepAlive: true });

beforeEach(async () => {
  draining = false;
  server = Fastify();
  drain = new Drain(server, () => draining);
  server.get('/quick', async () => 'done');
  server.get('/readyz', async () => 'ready');
  server.get('/slow', async () => {
    arrived();
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return 'done';
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(async () => {
  answer?.();
  await server.close();
});

const port = () => (server.server.address() as AddressInfo).port;

async function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; connection: string | undefined }> {
  const sent = ask({ port: port(), host: '127.0.0.1', path, headers, agent });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, connection: response.headers.connection };
}

function end(limitMs = LIMIT_MS): Promise<void> {
  draining = true;
  return drain.end(limitMs);
}

describe('a server that drains', () => {
  it('does not wait for clients that keep their connections', async () => {
    expect(await get('/quick')).toEqual({ status: 200, connection: 'keep-alive' });
    await end();
  });

  it('reports the drain to readiness checks only', async () => {
    const notice = async (headers?: Record<string, string>) => {
      if (headers) await get('/readyz', headers);
      let given = false;
      const over = drain.giveNotice(20).then(() => {
        given = true;
      });
      await new Promise(setImmediate);
      const waited = !given;
      await over;
      return waited;
    };
    expect(await notice()).toBe(false);
    expect(await notice({ 'user-agent': healthcheckAgent })).toBe(false);
    expect(await notice({})).toBe(true);
  });

  it('answers requests in progress, and announces the end of their connections', async () => {
    const under = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const response = get('/slow');
    await under;
    const ended = end();
    answer();
    expect(await response).toEqual({ status: 200, connection: 'close' });
    await ended;
  });

  it('does not wait for connections that sent no request', async () => {
    const ahead = connect(port(), '127.0.0.1');
    await once(ahead, 'connect');
    await expect.poll(() => count(server)).toBe(1);
    const closed = once(ahead, 'close');
    await end();
    await closed;
  });

  it('aborts a request that takes longer than the limit', async () => {
    const under = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const response = get('/slow');
    await under;
    await Promise.all([expect(response).rejects.toThrow(), end(100)]);
  });
});

function count(of: FastifyInstance): Promise<number> {
  return new Promise((resolve) => of.server.getConnections((_error, number) => resolve(number)));
}
