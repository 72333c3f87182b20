import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { healthcheckAgent } from '../core/common/healthcheck-agent.js';

/** How often connections are looked at that wait for another request. */
const LOOK_MS = 50;
/** For the first bytes of a connection that was opened just now. */
const FIRST_BYTES_MS = 500;
/** Who asks whether the service is ready, to send it requests, asks again within this time. */
const PROBED_MS = 60_000;

/** Ends a server as soon as what it has in its hands is answered, and not when its clients let go of their connections. */
export class Drain {
  readonly #untouched = new Set<Socket>();
  #probedAt = Number.NEGATIVE_INFINITY;

  /** Before the server listens. Answers given while it drains tell the client that their connection ends with them. */
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
    // Browsers and balancers open connections ahead; the server itself takes one without a request for busy.
    server.server.on('connection', (socket) => {
      // One that is only read again has had a request.
      if (socket.bytesRead > 0) return;
      this.#untouched.add(socket);
      socket.once('close', () => this.#untouched.delete(socket));
    });
    server.server.on('request', ({ socket }) => this.#untouched.delete(socket));
  }

  /** While it still serves: time for probes to see that it is not ready any more. None without probes. */
  async giveNotice(ms: number): Promise<void> {
    if (performance.now() - this.#probedAt < PROBED_MS) await sleep(ms);
  }

  /** Refuses new connections, and resolves when the last one is over: at the latest after `limitMs`, by force. */
  async end(limitMs: number): Promise<void> {
    const { server } = this.server;
    const closed = this.server.close();
    const timers = [
      setInterval(() => server.closeIdleConnections(), LOOK_MS),
      setTimeout(() => this.#endUntouched(), FIRST_BYTES_MS),
      setTimeout(() => server.closeAllConnections(), limitMs),
    ];
    await closed.finally(() => timers.forEach(clearTimeout));
  }

  #endUntouched(): void {
    for (const socket of this.#untouched) if (socket.bytesRead === 0) socket.destroy();
  }
}
