import { randomInt } from 'node:crypto';
import type { ClientBase } from 'pg';
import { lockProcessLiveness } from '../calls.gen.js';

const LARGEST = 2 ** 31 - 1;

/**
 * Shows other processes that this process is alive. It holds a lock on its own connection, and the server releases the lock when
 * the process ends for any reason. Other processes can then take over at once what the process marked with the number of its
 * lock, instead of after a timeout.
 */
export class ProcessLiveness {
  readonly #number = randomInt(1, LARGEST);
  #client: ClientBase | undefined;

  /** The number of the lock; undefined while it is not held. */
  get number(): number | undefined {
    return this.#client === undefined ? undefined : this.#number;
  }

  /** Takes the lock, which is held as long as the connection lasts. */
  async attach(client: ClientBase): Promise<void> {
    await lockProcessLiveness(client, this.#number);
    this.#client = client;
    // The `end` of an abandoned connection may arrive after the next connection has the lock.
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
  }
}
