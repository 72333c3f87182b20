import type { Socket } from 'node:net';
import type { ClientBase, ClientConfig } from 'pg';
import type { Log } from '../../core/common/log.js';
import { connectClient } from './client.js';
import type { SessionConfig } from './session-settings.js';

/** After this time without a byte the server is asked whether it still works on a statement. */
const SILENCE_MS = 10_000;
const ASK_LIMIT_MS = 5_000;

/**
 * Lists sessions that work, also those that only wait for a lock. A session that waits for its client has answered, or was
 * never asked.
 */
const AT_WORK = `
  SELECT pg_backend_pid() AS own, ARRAY(SELECT pid FROM pg_stat_activity WHERE usename = current_user
    AND (state = 'disabled' OR state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')) AS pids`;

/** Fields of a connection that the driver does not declare. */
interface Line {
  readonly processID: number;
  /** Whether nothing was asked that is not answered. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

/**
 * Ends connections that were cut without a word while a statement ran on them, as when a machine or a path to it vanishes: the
 * kernel would wait for a quarter of an hour. A statement may take as long as it likes; only one that the server knows nothing of
 * is given up.
 */
export class DeadConnectionDetector {
  #asking: Promise<ReadonlySet<number> | 'unknown'> | undefined;

  constructor(
    private readonly connection: ClientConfig & SessionConfig,
    private readonly log: Log,
    private readonly silenceMs = SILENCE_MS,
  ) {}

  /** From when it is open to its end. */
  watch(client: ClientBase): void {
    const line = client as unknown as Line;
    line.connection.stream.setTimeout(this.silenceMs).on('timeout', () => void this.#look(line));
  }

  async #look(line: Line): Promise<void> {
    const { stream } = line.connection;
    if (line.readyForQuery) return;
    const heard = stream.bytesRead;
    // Connections that fall silent together are asked after together.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const atWork = await this.#asking;
    // Any traffic on it restarts the measurement of its silence.
    if (stream.destroyed || stream.bytesRead !== heard) return;
    if (atWork === 'unknown' || atWork.has(line.processID)) {
      stream.setTimeout(this.silenceMs);
      return;
    }
    this.log.warn({}, 'database.connection_silent');
    const error = new Error('The connection to the database fell silent.');
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }

  /** The connections that the server works on; none while it can't be reached, which ends what runs there as well. */
  async #ask(): Promise<ReadonlySet<number> | 'unknown'> {
    const limits = { connectionTimeoutMillis: ASK_LIMIT_MS, query_timeout: ASK_LIMIT_MS };
    try {
      const client = await connectClient({ ...this.connection, ...limits });
      try {
        const [{ own, pids } = { own: 0, pids: [] }] = (
          await client.query<{ own: number; pids: number[] }>(AT_WORK)
        ).rows;
        // A pooler in between gives its connections numbers of its own; whether it is there the kernel has to find.
        return own === (client as unknown as Line).processID ? new Set(pids) : 'unknown';
      } finally {
        void client.end();
      }
    } catch (error) {
      // A server without a free connection is at work.
      return (error as { code?: string }).code === '53300' ? 'unknown' : new Set();
    }
  }
}
