import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Log } from '../core/common/log.js';

export interface MetricsServerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The required bearer token. Undefined: any client may read. */
  readonly token: string | undefined;
  readonly log: Log;
}

/** Serves the metrics on a separate address. Resolves with a function that stops the server. */
export async function serveMetrics(
  registry: Registry,
  { host, port, token, log }: MetricsServerOptions,
): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(registry, token, request, response).catch((err: unknown) => {
      log.warn({ err }, 'metrics.failed');
      response.writeHead(500).end();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics.listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

async function answer(
  registry: Registry,
  token: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path] = (request.url ?? '').split('?', 1);
  if (path !== '/metrics') return void response.writeHead(404).end();
  if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
  if (token !== undefined && !isBearer(request.headers.authorization, token)) {
    return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  }
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
}

/** Compares the token in constant time. */
function isBearer(sent: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(sent ?? ''), hash(`Bearer ${token}`));
}
