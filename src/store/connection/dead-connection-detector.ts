import type { Socket } from 'node:net';
import type { ClientBase, ClientConfig } from 'pg';
import type { Log } from '../../core/common/log.js';
import { connectClient } from './client.js';
import type { SessionConfig } from './session-settings.js';

/** After this time without received data, the server is asked whether it still works on a statement. */
const SILENCE_MS = 10_000;
const ASK_LIMIT_MS = 5_000;

/**
 * Lists sessions that work on a statement, including sessions that wait for a lock. A session that waits for its client has
 * answered, or never received a statement.
 */
const AT_WORK = `
  SELECT pg_backend_pid() AS own, ARRAY(SELECT pid FROM pg_stat_activity WHERE usename = current_user
    AND (state = 'disabled' OR state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')) AS pids`;

/** Fields of a connection that the driver does not declare. */
interface Line {
  readonly processID: number;
  /** Whether every statement has been answered. */
  readonly readyForQuery: boolean;
  readonly connection: { readonly stream: Socket };
}

/**
 * Closes connections that were cut silently while a statement ran on them, for example because a machine or its network path
 * vanished. The kernel would wait for a quarter of an hour. A statement may take any time: a connection is closed only when the
 * server does not work on a statement for it.
 */
export class DeadConnectionDetector {
  #asking: Promise<ReadonlySet<number> | 'unknown'> | undefined;

  constructor(
    private readonly connection: ClientConfig & SessionConfig,
    private readonly log: Log,
    private readonly silenceMs = SILENCE_MS,
  ) {}

  /** Watches a connection from its opening to its end. */
  watch(client: ClientBase): void {
    const line = client as unknown as Line;
    line.connection.stream.setTimeout(this.silenceMs).on('timeout', () => void this.#check(line));
  }

  async #check(line: Line): Promise<void> {
    const { stream } = line.connection;
    if (line.readyForQuery) return;
    const heard = stream.bytesRead;
    // One query serves all connections that become silent at the same time.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const atWork = await this.#asking;
    // Any traffic on the connection restarts its timeout.
    if (stream.destroyed || stream.bytesRead !== heard) return;
    if (atWork === 'unknown' || atWork.has(line.processID)) {
      stream.setTimeout(this.silenceMs);
      return;
    }
    this.log.warn({}, 'database.connection_silent');
    const error = new Error('The connection to the database fell silent.');
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }

  /**
   * The connections for which the server works on a statement. Empty while the server can't be reached, so that connections to it
   * are closed as well.
   */
  async #ask(): Promise<ReadonlySet<number> | 'unknown'> {
    const limits = { connectionTimeoutMillis: ASK_LIMIT_MS, query_timeout: ASK_LIMIT_MS };
    try {
      const client = await connectClient({ ...this.connection, ...limits });
      try {
        const [{ own, pids } = { own: 0, pids: [] }] = (
          await client.query<{ own: number; pids: number[] }>(AT_WORK)
        ).rows;
        // A pooler in between gives connections its own process ids. Only the kernel can then detect a lost connection.
        return own === (client as unknown as Line).processID ? new Set(pids) : 'unknown';
      } finally {
        void client.end();
      }
    } catch (error) {
      // A server without a free connection is working.
      return (error as { code?: string }).code === '53300' ? 'unknown' : new Set();
    }
  }
}
