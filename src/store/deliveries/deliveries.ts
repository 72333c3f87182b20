import type { Pool } from 'pg';
import type { DeliveryMove, DeliveryTask, KnownPart, TaskResult } from '../../core/deliveries/task.js';
import type { DeliveryStore, MovedChat } from '../../core/ports/deliveries.js';

import { callFunction } from '../connection/function-calls.js';
import type { BegunWrites } from './write-journal.js';

/** How long a lane is held without a sign of life; longer than one write may take. */
export const LEASE_SECONDS = 25;

const WHAT = 'The delivery';

/** As the type `delivery_move` of the database has it. */
function moveRow({ from, to, ...rest }: DeliveryMove) {
  return { ...rest, was: from, becomes: to, judged: rest.error !== undefined };
}

/** Deliveries and their lanes in PostgreSQL; the moves themselves are functions of the database. */
export class PostgresDeliveries implements DeliveryStore {
  /** `begun`: what the processes of this machine have begun to write, as their journals tell. */
  constructor(
    private readonly pool: Pool,
    private readonly begun: () => BegunWrites = () => ({}),
  ) {}

  async claim(
    connectionId: string,
    most: number,
    { urgent = false, atOnce }: { readonly urgent?: boolean; readonly atOnce?: number } = {},
  ): Promise<readonly DeliveryTask[]> {
    const rows = await callFunction<{ tasks: DeliveryTask[] }>(
      this.pool,
      WHAT,
      'SELECT claim_deliveries($1, $2, $3, $4, $5) AS tasks',
      [connectionId, most, LEASE_SECONDS, urgent, atOnce ?? null],
    );
    return rows[0]?.tasks ?? [];
  }

  async openAttempts(tasks: readonly DeliveryTask[]): Promise<ReadonlyMap<string, string>> {
    const rows = await callFunction<{ id: string; delivery_id: string }>(
      this.pool,
      WHAT,
      'SELECT id, delivery_id FROM open_attempts($1, $2, $3, $4, $5)',
      [
        tasks[0]?.connection_id,
        tasks.map(({ delivery_id: id }) => id),
        tasks.map(({ link }) => link.id),
        tasks.map(({ fence }) => fence),
        tasks.map(({ message }) => message.revision),
      ],
    );
    return new Map(rows.map(({ id, delivery_id: delivery }) => [delivery, id]));
  }

  async settle(results: readonly TaskResult[]): Promise<readonly string[]> {
    const rows = results.map((result) => ({ ...result, move: result.move && moveRow(result.move) }));
    const [answer] = await callFunction<{ more: string[] }>(
      this.pool,
      WHAT,
      'SELECT settle_deliveries($1) AS more',
      [JSON.stringify(rows)],
    );
    return answer?.more ?? [];
  }

  async withheld(deliveryIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'deliveries.withheld',
      text: 'SELECT id FROM withheld_deliveries($1)',
      values: [deliveryIds],
    });
    return rows.map(({ id }) => id);
  }

  async progress(task: DeliveryTask, parts: readonly KnownPart[]): Promise<boolean> {
    const { rows } = await this.pool.query<{ held: boolean }>({
      name: 'deliveries.progress',
      text: `
        WITH held AS (
          UPDATE links SET leased_until = now() + make_interval(secs => $3) WHERE id = $1 AND fence = $2 RETURNING id
        )
        SELECT (SELECT record_parts($5, $4) FROM held) IS NOT NULL OR EXISTS (SELECT 1 FROM held) AS held`,
      values: [task.link.id, task.fence, LEASE_SECONDS, JSON.stringify(parts), task.delivery_id],
    });
    return rows[0]?.held ?? false;
  }

  async sweep(): Promise<readonly string[]> {
    // By itself: whatever keeps the rest from being done, what a dead worker left is taken over.
    const [found] = await callFunction<{ before: string | null }>(
      this.pool,
      WHAT,
      'SELECT stale_lanes_since()::text AS before',
      [],
    );
    if (found?.before) {
      const begun = JSON.stringify(this.begun());
      await callFunction(this.pool, WHAT, 'SELECT take_over_lanes($1, $2)', [begun, found.before]);
    }
    // By itself as well, since it locks conversations.
    await callFunction(this.pool, WHAT, 'SELECT release_overdue()', []);
    const rows = await callFunction<{ woken: string[] }>(
      this.pool,
      WHAT,
      'SELECT sweep_deliveries() AS woken',
      [],
    );
    return rows[0]?.woken ?? [];
  }

  async expire(): Promise<number | undefined> {
    const rows = await callFunction<{ next: number | null }>(
      this.pool,
      WHAT,
      'SELECT expire_deliveries() AS next',
      [],
    );
    return rows[0]?.next ?? undefined;
  }

  async releaseAllLanes(): Promise<void> {
    await this.pool.query('UPDATE links SET leased_until = NULL WHERE leased_until IS NOT NULL');
  }

  async openChat(linkId: string, chatId: string): Promise<void> {
    await callFunction(this.pool, WHAT, 'SELECT open_chat($1, $2)', [linkId, chatId]);
  }

  async moveChat(connectionId: string, from: string, { toChatId, renumbered }: MovedChat): Promise<void> {
    const input = [connectionId, from, toChatId, renumbered === true];
    await this.pool.query('SELECT move_chat($1, $2, $3, $4)', input);
  }

  async breakLink(linkId: string): Promise<void> {
    await callFunction(this.pool, WHAT, 'SELECT break_link($1)', [linkId]);
  }

  async suppressRecipient(linkId: string, reason: string): Promise<void> {
    await callFunction(this.pool, WHAT, 'SELECT suppress_recipient($1, $2)', [linkId, reason]);
  }

  async pauseConnection(connectionId: string, until: Date, generation?: number): Promise<void> {
    await this.pool.query('SELECT pause_connection($1, $2, $3)', [connectionId, until, generation]);
  }
}
