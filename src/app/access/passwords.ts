import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../../core/common/errors.js';
import type { Passwords } from '../../core/common/passwords.js';
import { PrioritySemaphore } from '../../core/common/priority-semaphore.js';

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * A hash with these parameters of a password that no user has. It is checked when there is no user, so that the response takes
 * as long.
 */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$MmzHKhP2k58LzvqPoT2TWw$qnHcadhc0TQnYRf/w60PDLYfVii7o8JktWmNH1yfAz0';

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/**
 * Half of the libuv threads. Node also uses these threads for DNS lookups and file reads, so password guesses must not occupy
 * them all.
 */
const AT_ONCE = 2;
const TIMEOUT_MS = 10_000;

/** Hashes passwords with argon2id, a few at a time. Raises `service_unavailable` when a request waits too long. */
export class Argon2Passwords implements Passwords {
  private readonly slots = new PrioritySemaphore(AT_ONCE);

  hash(password: string): Promise<string> {
    return this.inTurn(() => hashPassword(password));
  }

  async matches(stored: string | undefined, password: string): Promise<boolean> {
    const same = await this.inTurn(() => verify(stored ?? DUMMY_HASH, password));
    return same && stored !== undefined;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (!(await this.slots.acquire(TIMEOUT_MS))) throw unavailable('backlog', 'Too many sign-ins at once.');
    try {
      return await work();
    } finally {
      this.slots.release();
    }
  }
}
