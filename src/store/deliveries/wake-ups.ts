import type { Pool } from 'pg';
import type { WakeUps } from '../../core/ports/deliveries.js';

/** Reminders, put into the outbox like all others. */
export class PostgresWakeUps implements WakeUps {
  constructor(private readonly pool: Pool) {}

  async wakeConnection(connectionId: string, at?: Date): Promise<void> {
    await this.pool.query('SELECT wake_connections(ARRAY[$1::uuid], $2)', [connectionId, at ?? null]);
  }
}
