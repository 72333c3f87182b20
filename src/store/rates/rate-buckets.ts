import type { Pool } from 'pg';
import type { CapacityRequest, RateBuckets } from '../../core/rates/ports.js';
import { acquireRateLimits, holdBuckets, nextLaneReleaseMs, reserveCallSlots } from '../calls.gen.js';
import { milliseconds } from '../connection/interval.js';

/** Rate limits of platforms in PostgreSQL, one row for each account, chat and method with recent writes. */
export class PostgresRateBuckets implements RateBuckets {
  constructor(private readonly pool: Pool) {}

  async reserve(connectionId: string, amount: number, spacingMs: number, leewayMs: number): Promise<number> {
    const wait = await reserveCallSlots(this.pool, {
      connection: connectionId,
      amount,
      spacing: milliseconds(spacingMs),
      leeway: milliseconds(leewayMs),
    });
    return wait ?? 0;
  }

  take(connectionId: string, writes: readonly CapacityRequest[]): Promise<readonly number[]> {
    const asked = writes.map(({ chatId, cost, maxWaitMs, buckets }) => ({
      chat: chatId,
      patience_ms: maxWaitMs,
      // A write that costs more than a window holds takes a whole window.
      buckets: buckets.map(({ key, count, perMs }) => ({
        key,
        count,
        per_ms: Math.ceil(perMs),
        amount: Math.min(cost, count),
      })),
    }));
    return acquireRateLimits(this.pool, { connection: connectionId, writes: asked });
  }

  hold(connectionId: string, keys: readonly string[], chatId: string | null, waitMs: number): Promise<void> {
    return holdBuckets(this.pool, {
      connection: connectionId,
      keys,
      chat: chatId,
      wait: milliseconds(waitMs),
    });
  }

  async nextLaneReleaseMs(connectionId: string): Promise<number | undefined> {
    return (await nextLaneReleaseMs(this.pool, connectionId)) ?? undefined;
  }
}
