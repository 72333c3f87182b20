import type { Pool } from 'pg';
import type { RateBuckets, RoomRequest } from '../../core/ports/rates.js';

/** The limits of platforms as rows, one for each account, chat and method that was written to of late. */
export class PostgresRateBuckets implements RateBuckets {
  constructor(private readonly pool: Pool) {}

  async reserve(connectionId: string, amount: number, spacingMs: number, leewayMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ wait: number | null }>({
      name: 'rates.reserve',
      text: `SELECT reserve_turns($1, $2, $3 * interval '1 ms', $4 * interval '1 ms') AS wait`,
      values: [connectionId, amount, spacingMs, leewayMs],
    });
    return rows[0]?.wait ?? 0;
  }

  async take(connectionId: string, writes: readonly RoomRequest[]): Promise<readonly number[]> {
    const asked = writes.map(({ chatId, cost, patienceMs, buckets }) => ({
      chat: chatId,
      patience_ms: patienceMs,
      // What costs more than a window holds takes a whole one.
      buckets: buckets.map(({ key, count, perMs }) => ({
        key,
        count,
        per_ms: Math.ceil(perMs),
        amount: Math.min(cost, count),
      })),
    }));
    const { rows } = await this.pool.query<{ waits: number[] }>({
      name: 'rates.take',
      text: 'SELECT take_room($1, $2) AS waits',
      values: [connectionId, JSON.stringify(asked)],
    });
    return rows[0]?.waits ?? [];
  }

  async hold(
    connectionId: string,
    keys: readonly string[],
    chatId: string | null,
    waitMs: number,
  ): Promise<void> {
    await this.pool.query(`SELECT hold_buckets($1, $2, $3, $4 * interval '1 ms')`, [
      connectionId,
      keys,
      chatId,
      waitMs,
    ]);
  }

  async nextHeld(connectionId: string): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ wait: number | null }>('SELECT next_held($1) AS wait', [
      connectionId,
    ]);
    return rows[0]?.wait ?? undefined;
  }
}
