import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf } from './service.mjs';

const TICK_MS = 10;
const CONNECTIONS = 8;
const TEXT = 'Your order 4711 has left our warehouse and will be with you tomorrow between 9 and 12.';

/** Inserts events, each in its own transaction. `next` returns the workspace and type of each. */
export class EventSource {
  constructor(pool) {
    this.pool = pool;
  }

  static async open(dataDir) {
    return new EventSource(new pg.Pool({ ...(await databaseOf(dataDir)), max: CONNECTIONS }));
  }

  query(text, values) {
    return this.pool.query(text, values);
  }

  /** Resolves with the number of events when all are committed. */
  async emit({ perSecond, durationMs, next }) {
    const startedAt = performance.now();
    const writes = [];
    let written = 0;
    for (let elapsed = 0; elapsed < durationMs; elapsed = performance.now() - startedAt) {
      const due = Math.floor((elapsed / 1_000) * perSecond);
      for (; written < due; written += 1) writes.push(this.#write(next(written)));
      await sleep(TICK_MS);
    }
    await Promise.all(writes);
    return written;
  }

  #write({ workspaceId, type }) {
    return this.pool.query({
      name: 'bench.event',
      text: `INSERT INTO events (workspace_id, type, conversation_id, data) VALUES ($1, $2, $3, $4)`,
      values: [
        workspaceId,
        type,
        crypto.randomUUID(),
        JSON.stringify({ text: TEXT, committed_at: Date.now() }),
      ],
    });
  }

  async close() {
    await this.pool.end();
  }
}
