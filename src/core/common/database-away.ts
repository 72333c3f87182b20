import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']);
/** Connections that broke, a server that lacks disk, memory or connections, one that is going or coming, and a lock that others kept. */
const CONNECTION_STATES = /^(?:08|53|57P|55P03)/;
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after)/;

/**
 * Whether an error, or what caused it, is a lost or refused connection to the database, or a database that has no room
 * or no lock at the moment: the same may succeed later.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const refused =
    code !== undefined &&
    (CONNECTION_STATES.test(code) ||
      (CONNECTION_CODES.has(code) && syscall !== 'open' && syscall !== 'stat'));
  if (refused || CONNECTION_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return isDatabaseAway(error.errors[0]);
  return isDatabaseAway(error.cause);
}

const PAUSE_MS = 250;

/**
 * Does what must not be lost, such as recording what a platform answered. While the database is away it is tried again, for
 * as long as `limitMs`; `work` must bear being done twice, since a connection can be lost after its commit.
 */
export async function untilBack<Result>(work: () => Promise<Result>, limitMs: number): Promise<Result> {
  const endsAt = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() >= endsAt) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
