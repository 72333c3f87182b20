import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** The last message of PostgreSQL after a transaction: ReadyForQuery, idle. */
const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * A proxy between the service and a server. Its connections can be slow, silent or cut. For PostgreSQL it also sees statements
 * and calls a function at a chosen one.
 */
export class TcpGate {
  /** Delay of every packet in each direction. */
  delayMs = 0;
  /** Drops packets without an error. */
  silent = false;
  /** Numbers of delayed and of dropped packets. */
  delayed = 0;
  swallowed = 0;
  #closed = false;
  #trap;
  #server;
  #sockets = new Set();
  #target;

  constructor(target) {
    this.#target = target;
  }

  /** Resolves with the port. */
  async open() {
    this.#server = createServer((near) => this.#join(near)).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.#server.address().port;
  }

  /**
   * Calls `onHit` once, at a statement whose text or name contains `statement`, after `skip` others. `asked`: the statement
   * never reaches the server. `done`: it is committed, and its response is forwarded only if `passes` is set.
   */
  trap({ statement, moment, skip = 0, passes = false, onHit }) {
    this.#trap = { statement, moment, skip, passes, onHit };
  }

  /** Whether a trap has not been hit yet. */
  get armed() {
    return this.#trap !== undefined;
  }

  disarm() {
    this.#trap = undefined;
  }

  /** Cuts all connections. New ones are accepted. Returns the number of sockets that were open. */
  cut() {
    const { size } = this.#sockets;
    for (const socket of this.#sockets) socket.destroy();
    return size;
  }

  async close() {
    this.#closed = true;
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near) {
    const far = connect(this.#target);
    const line = { near, far, holding: undefined };
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (piece) => this.#asked(line, piece));
    far.on('data', (piece) => this.#answered(line, piece));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
  }

  #asked(line, piece) {
    const trap = this.#trap;
    if (trap !== undefined && piece.includes(trap.statement)) {
      if (trap.skip > 0) trap.skip -= 1;
      else {
        this.#trap = undefined;
        if (trap.moment === 'asked') {
          trap.onHit();
          line.near.destroy();
          return;
        }
        line.holding = trap;
      }
    }
    this.#pass(line.near, line.far, piece);
  }

  #answered(line, piece) {
    if (line.holding === undefined) return this.#pass(line.far, line.near, piece);
    if (!piece.subarray(-IDLE.length).equals(IDLE)) {
      return line.holding.passes ? this.#pass(line.far, line.near, piece) : undefined;
    }
    const { onHit, passes } = line.holding;
    onHit();
    line.holding = undefined;
    if (passes) return this.#pass(line.far, line.near, piece);
    line.near.destroy();
    return undefined;
  }

  #pass(from, to, piece) {
    if (this.silent) this.swallowed += 1;
    if (this.silent || this.#closed) return;
    if (this.delayMs > 0) {
      this.delayed += 1;
      setTimeout(() => to.writable && to.write(piece), this.delayMs);
      return;
    }
    if (to.writable && !to.write(piece)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  }
}
