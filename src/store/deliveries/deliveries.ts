import type { Pool } from 'pg';
import type { DeliveryStore, MovedChat } from '../../core/deliveries/ports.js';
import type { DeliveryMove, DeliveryTask, KnownPart, TaskResult } from '../../core/deliveries/task.js';

import {
  assignChatId,
  claimDeliveries,
  expireDeliveries,
  markLinkBroken,
  moveChat,
  openAttempts,
  pauseConnection,
  recordPartsSql,
  releaseOverdueMessages,
  settleDeliveries,
  staleLanesFoundAt,
  suppressRecipient,
  sweepDeliveries,
  takeOverLanes,
  unsendableDeliveries,
} from '../calls.gen.js';
import type { DeliveryMoveRow } from './delivery-rows.js';
import type { BegunWrites } from './write-journal.js';

/** Lease of a lane, unless it is renewed. It is longer than one write may take. */
export const LEASE_SECONDS = 25;

function moveRow({ from, to, ...rest }: DeliveryMove): DeliveryMoveRow {
  return { ...rest, was: from, becomes: to, judged: rest.error !== undefined };
}

/** Deliveries and their lanes in PostgreSQL. The state changes are database functions. */
export class PostgresDeliveries implements DeliveryStore {
  /** `begun`: the writes that processes of this machine have begun, from their journals. */
  constructor(
    private readonly pool: Pool,
    private readonly begun: () => BegunWrites = () => ({}),
  ) {}

  claim(
    connectionId: string,
    maxLanes: number,
    { urgent = false, atOnce }: { readonly urgent?: boolean; readonly atOnce?: number } = {},
  ): Promise<readonly DeliveryTask[]> {
    return claimDeliveries(this.pool, {
      connection: connectionId,
      maxLanes,
      leaseSeconds: LEASE_SECONDS,
      urgent,
      atOnce: atOnce ?? null,
    });
  }

  async openAttempts(tasks: readonly DeliveryTask[]): Promise<ReadonlyMap<string, string>> {
    const [first] = tasks;
    if (first === undefined) return new Map();
    const rows = await openAttempts(this.pool, {
      connection: first.connection_id,
      deliveryIds: tasks.map(({ delivery_id: id }) => id),
      lanes: tasks.map(({ link }) => link.id),
      fences: tasks.map(({ fence }) => fence),
      revisions: tasks.map(({ message }) => message.revision),
    });
    return new Map(rows.map(({ id, delivery_id: delivery }) => [delivery, id]));
  }

  settle(results: readonly TaskResult[]): Promise<readonly string[]> {
    const rows = results.map((result) => ({ ...result, move: result.move && moveRow(result.move) }));
    return settleDeliveries(this.pool, rows);
  }

  async withheld(deliveryIds: readonly string[]): Promise<readonly string[]> {
    return (await unsendableDeliveries(this.pool, deliveryIds)).map(({ id }) => id);
  }

  async progress(task: DeliveryTask, parts: readonly KnownPart[]): Promise<boolean> {
    const { rows } = await this.pool.query<{ held: boolean }>({
      name: 'deliveries.progress',
      text: `
        WITH held AS (
          UPDATE links SET leased_until = now() + make_interval(secs => $3) WHERE id = $1 AND fence = $2 RETURNING id
        )
        SELECT (SELECT ${recordPartsSql('$5', '$4')} FROM held) IS NOT NULL OR EXISTS (SELECT 1 FROM held) AS held`,
      values: [task.link.id, task.fence, LEASE_SECONDS, JSON.stringify(parts), task.delivery_id],
    });
    return rows[0]?.held ?? false;
  }

  async sweep(): Promise<readonly string[]> {
    // This is a separate call, so that the lanes of dead workers are taken over even if the rest of the sweep fails.
    const before = await staleLanesFoundAt(this.pool);
    if (before !== null) await takeOverLanes(this.pool, { begun: this.begun(), before });
    // This is a separate call too, because it locks conversations.
    await releaseOverdueMessages(this.pool);
    return sweepDeliveries(this.pool);
  }

  async expire(): Promise<number | undefined> {
    return (await expireDeliveries(this.pool)) ?? undefined;
  }

  async releaseAllLanes(): Promise<void> {
    await this.pool.query('UPDATE links SET leased_until = NULL WHERE leased_until IS NOT NULL');
  }

  async assignChatId(linkId: string, chatId: string): Promise<void> {
    await assignChatId(this.pool, { link: linkId, chat: chatId });
  }

  moveChat(connectionId: string, from: string, { toChatId, renumbered }: MovedChat): Promise<void> {
    const ids = { oldId: from, newId: toChatId };
    return moveChat(this.pool, { connection: connectionId, ...ids, renumbered: renumbered === true });
  }

  markLinkBroken(linkId: string): Promise<void> {
    return markLinkBroken(this.pool, linkId);
  }

  suppressRecipient(linkId: string, reason: string): Promise<void> {
    return suppressRecipient(this.pool, { link: linkId, reason });
  }

  pauseConnection(connectionId: string, until: Date, generation?: number): Promise<void> {
    return pauseConnection(this.pool, {
      connection: connectionId,
      until,
      ofGeneration: generation ?? null,
    });
  }
}
