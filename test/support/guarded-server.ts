import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuard, type Guard } from '../../src/outgoing/guard.js';

/** A server on this machine, and a guard that allows requests to it. */
export class GuardedServer {
  readonly guard: Guard = createGuard({
    allowPrivateTargets: ['127.0.0.0/8'],
    ownAddress: () => undefined,
  });
  readonly http: Server;

  constructor(listener: RequestListener) {
    this.http = createServer(listener);
  }

  /** Resolves with `http://127.0.0.1:<port>`. */
  async open(): Promise<string> {
    this.http.listen(0, '127.0.0.1');
    await once(this.http, 'listening');
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await this.guard.close();
    this.http.closeAllConnections();
    this.http.close();
  }
}
