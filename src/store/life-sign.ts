import { randomInt } from 'node:crypto';
import type { ClientBase } from 'pg';

const LARGEST = 2 ** 31 - 1;

/**
 * That this process lives, as the others see it: a lock on a connection of its own, which the server frees when the
 * process is gone, however it went. What a process marks with the number of its lock can be taken over at once then,
 * instead of after a time.
 */
export class LifeSign {
  readonly #number = randomInt(1, LARGEST);
  #held = false;

  /** The number of the lock; undefined while it is not held. */
  get number(): number | undefined {
    return this.#held ? this.#number : undefined;
  }

  /** Held for as long as the connection lasts. */
  async give(client: ClientBase): Promise<void> {
    await client.query('SELECT give_life_sign($1)', [this.#number]);
    this.#held = true;
    client.once('end', () => {
      this.#held = false;
    });
  }
}
