import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** What PostgreSQL says last when a transaction is over: ReadyForQuery, idle. */
const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * A port through which a service reaches a server, and where the line can be slow, silent or cut; towards PostgreSQL
 * it also sees what is asked, and strikes at the moment that a fault is about.
 */
export class TcpGate {
  /** Added to every piece in each direction. */
  delayMs = 0;
  /** Pieces vanish and nobody is told. */
  silent = false;
  /** Pieces that were late, and that vanished. */
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
   * Strikes once, at the statement whose text or name holds `statement`, after `skip` others like it. `asked`: it never
   * reaches the server. `done`: it is committed, and its answer comes back only if it `passes`.
   */
  trap({ statement, moment, skip = 0, passes = false, onHit }) {
    this.#trap = { statement, moment, skip, passes, onHit };
  }

  /** Whether a trap still waits. */
  get armed() {
    return this.#trap !== undefined;
  }

  disarm() {
    this.#trap = undefined;
  }

  /** Breaks every connection; new ones are taken. Returns how many ends there were. */
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
