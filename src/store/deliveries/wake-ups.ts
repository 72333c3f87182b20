import type { Pool } from 'pg';
import type { WakeUps } from '../../core/deliveries/ports.js';
import { wakeConnections } from '../calls.gen.js';

/** Reminders, which are written to the outbox like all others. */
export class PostgresWakeUps implements WakeUps {
  constructor(private readonly pool: Pool) {}

  wakeConnection(connectionId: string, at?: Date): Promise<void> {
    return wakeConnections(this.pool, { ids: [connectionId], at: at ?? null });
  }
}
