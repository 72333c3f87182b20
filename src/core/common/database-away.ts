import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']);
/**
 * SQLSTATEs of a broken connection, of a server that lacks resources, starts, shuts down, is read-only or fails to use its disk,
 * and of a lock timeout. A hosted server becomes read-only when its disk is full, and a former primary after a failover.
 */
const CONNECTION_STATES = /^(?:08|53|57P|58|25006|55P03)/;
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Cannot use a pool after)/;

/**
 * Whether an error or its cause is a lost or refused connection to the database, or a temporary lack of resources or of
 * a lock. The same operation may succeed later.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The server refused or ended the session, for whatever reason.
  if ((error as { severity?: string }).severity === 'FATAL') return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const refused =
    code !== undefined &&
    (CONNECTION_STATES.test(code) ||
      (CONNECTION_CODES.has(code) && syscall !== 'open' && syscall !== 'stat'));
  if (refused || CONNECTION_MESSAGES.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return isDatabaseAway(error.errors[0]);
  return isDatabaseAway(error.cause);
}

/** SQLSTATEs of a value that is invalid, or exceeds a limit of the server. */
const INPUT_STATES = /^(?:22|54)/;
/** The server reports a value that does not fit into its memory as an internal error. */
const INPUT_MESSAGES = /^invalid memory alloc request size/;

/** Whether an error or its cause depends on the values of a statement alone. The same statement never succeeds. */
export function isRefusedInput(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (INPUT_STATES.test(code) || (code === 'XX000' && INPUT_MESSAGES.test(error.message))) return true;
  return isRefusedInput(error.cause);
}

const PAUSE_MS = 250;

/**
 * Runs work that must not be lost, such as storing the response of a platform. While the database is unavailable, the
 * work is retried for up to `limitMs`. It must be repeatable, because a connection can be lost after a commit.
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
