import { randomInt } from 'node:crypto';
import type { ClientBase } from 'pg';
import { giveLifeSign } from '../calls.gen.js';

const LARGEST = 2 ** 31 - 1;

/**
 * That this process lives, as the others see it: a lock on a connection of its own, which the server frees when the
 * process is gone, however it went. What a process marks with the number of its lock can be taken over at once then,
 * instead of after a time.
 */
export class ProcessLiveness {
  readonly #number = randomInt(1, LARGEST);
  #client: ClientBase | undefined;

  /** The number of the lock; undefined while it is not held. */
  get number(): number | undefined {
    return this.#client === undefined ? undefined : this.#number;
  }

  /** Held for as long as the connection lasts. */
  async give(client: ClientBase): Promise<void> {
    await giveLifeSign(client, this.#number);
    this.#client = client;
    // That of a connection that was given up may come when the next one has it.
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
  }
}
