import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A load balancer in front of the replicas. Each connection goes to the next replica that accepts it. */
export class Balancer {
  /** Ports of the replicas. */
  targets = [];
  #next = 0;
  #sockets = new Set();
  #server = createServer((near) => this.#join(near, this.targets.length));

  /** Resolves with the port. */
  async open() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.#server.address().port;
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near, tries) {
    this.#next += 1;
    const far = connect({ port: this.targets[this.#next % this.targets.length], host: '127.0.0.1' });
    let joined = false;
    this.#sockets.add(near);
    near.on('error', () => near.destroy());
    near.on('close', () => {
      this.#sockets.delete(near);
      far.destroy();
    });
    far.on('connect', () => {
      joined = true;
      near.pipe(far).pipe(near);
    });
    far.on('error', () => undefined);
    far.on('close', () => {
      if (joined || tries <= 1) near.destroy();
      else this.#join(near, tries - 1);
    });
  }
}
