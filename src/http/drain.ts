import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { healthcheckAgent } from '../core/common/healthcheck-agent.js';

/** Interval of checks for idle connections. */
const CHECK_EVERY_MS = 50;
/** Time limit for the first bytes of a new connection. */
const FIRST_BYTES_MS = 500;
/** A load balancer that probes the service probes again within this time. */
const PROBED_MS = 60_000;

/** Closes a server as soon as its requests in progress have responses. It does not wait until clients close their connections. */
export class Drain {
  readonly #untouched = new Set<Socket>();
  #probedAt = Number.NEGATIVE_INFINITY;

  /** Must be called before the server listens. During the drain, responses tell clients to close the connection. */
  constructor(
    private readonly server: FastifyInstance,
    isDraining: () => boolean,
  ) {
    server.addHook('onSend', (_request, reply, _payload, done) => {
      if (isDraining()) reply.header('connection', 'close');
      done();
    });
    server.addHook('onRequest', (request, _reply, done) => {
      const isProbe = request.routeOptions.url === '/readyz';
      if (isProbe && request.headers['user-agent'] !== healthcheckAgent) this.#probedAt = performance.now();
      done();
    });
    // Browsers and load balancers open connections in advance. Node treats a connection without a request as busy.
    server.server.on('connection', (socket) => {
      // The server emits this event again for a connection whose upgrade request is parsed again.
      if (socket.bytesRead > 0) return;
      this.#untouched.add(socket);
      socket.once('close', () => this.#untouched.delete(socket));
    });
    server.server.on('request', ({ socket }) => this.#untouched.delete(socket));
  }

  /** Continues to serve, so that probes can see that the service is not ready. Without probes, returns at once. */
  async giveNotice(ms: number): Promise<void> {
    if (performance.now() - this.#probedAt < PROBED_MS) await sleep(ms);
  }

  /** Refuses new connections and resolves when the last one is closed. After `limitMs`, closes all connections. */
  async end(limitMs: number): Promise<void> {
    const { server } = this.server;
    const closed = this.server.close();
    const timers = [
      setInterval(() => server.closeIdleConnections(), CHECK_EVERY_MS),
      setTimeout(() => this.#endUntouched(), FIRST_BYTES_MS),
      setTimeout(() => server.closeAllConnections(), limitMs),
    ];
    await closed.finally(() => timers.forEach(clearTimeout));
  }

  #endUntouched(): void {
    for (const socket of this.#untouched) if (socket.bytesRead === 0) socket.destroy();
  }
}
