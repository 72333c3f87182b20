import { connectClient } from './client.js';
import { CONNECT_LIMIT_MS, type ServerConnection } from './server.js';

/** SQLSTATE of a server whose connections are all in use. It accepts new ones as soon as others end. */
const ALL_IN_USE = '53300';
/** A result is used again for this time, so that frequent health checks do not open many connections. */
const FRESH_MS = 1_000;

/**
 * Checks whether the server accepts new connections. During a smart shutdown it refuses them while it still answers on the
 * connections that are open, which a query on a pool does not notice.
 */
export class NewConnections {
  #checking: Promise<void> | undefined;

  constructor(
    private readonly connection: ServerConnection,
    private readonly freshMs = FRESH_MS,
  ) {}

  /** Raises when the server refuses new connections. Concurrent callers share one attempt. */
  check(): Promise<void> {
    if (this.#checking === undefined) {
      const checking = this.#connect();
      this.#checking = checking;
      const forget = () => {
        this.#checking = undefined;
      };
      checking.then(() => setTimeout(forget, this.freshMs).unref(), forget);
    }
    return this.#checking;
  }

  async #connect(): Promise<void> {
    try {
      const client = await connectClient({
        ...this.connection,
        connectionTimeoutMillis: CONNECT_LIMIT_MS,
      });
      await client.end();
    } catch (error) {
      if (isRefusal(error)) throw error;
    }
  }
}

/** Errors without a code are timeouts. They are no refusal: the queries of health checks measure the time. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && code !== ALL_IN_USE;
}
