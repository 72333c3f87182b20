import type { Pool } from 'pg';
import {
  type BroadcastRecipientRecord,
  type BroadcastStatus,
  broadcastRecipientList,
} from '../../core/broadcasts/record.js';
import type { DeliveryTask } from '../../core/deliveries/task.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { Moment } from '../../core/moment.js';
import type {
  AudienceFilters,
  BroadcastState,
  BroadcastWork,
  FilteredAudience,
} from '../../core/ports/broadcasts.js';
import { nobodySends, type Senders } from '../../core/ports/senders.js';
import { callAdHoc, callFunction } from '../connection/function-calls.js';
import { LEASE_SECONDS } from '../deliveries/deliveries.js';
import { impliedMishap, Parameters } from '../listing/filter.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { contactsSql } from '../people/users.js';
import { createNewContacts } from './new-contacts.js';

const WHAT = 'The broadcast';

/** Broadcasts of a workspace that are sent at once. */
export const SENDING_LIMIT = 5;

/** Statuses that few recipients come to: the values of the column `mishap`. */
const MISHAPS = ['failed', 'uncertain', 'canceled', 'expired'];

const recipientSource: ListSource = {
  table: 'broadcast_recipients',
  record: 'broadcast_recipient_record(broadcast_recipients)',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    status: {
      sql: 'status',
      implies: (clause, parameters) => impliedMishap(clause, MISHAPS, parameters),
    },
    platform: 'platform',
    user_id: 'user_id',
    variant: 'variant',
    skip_reason: 'skip_reason',
  },
};

export function listRecipients(
  pool: Pool,
  workspaceId: string,
  broadcastId: string,
  query: ListQuery,
): Promise<ListPage<BroadcastRecipientRecord>> {
  const conditions = [{ sql: 'broadcast_id = $1::uuid', values: [broadcastId] }];
  return listRecords(pool, recipientSource, broadcastRecipientList, workspaceId, query, conditions);
}

/** The value of type found_audience that these filters lead to. */
export function foundSql(workspaceId: string, filters: AudienceFilters, parameters: Parameters): string {
  const ids = (all: AudienceFilters['included']) => {
    const queries = all.map((filter) => `(${contactsSql(workspaceId, filter, parameters)})`);
    return queries.length === 0 ? `'{}'::uuid[]` : `ARRAY(${queries.join(' UNION ALL ')})`;
  };
  const forms = parameters.value(JSON.stringify(filters.addressForms));
  const cap = parameters.value(filters.cap === null ? null : JSON.stringify(filters.cap));
  return `ROW(${ids(filters.included)}, ${ids(filters.excluded)}, ${forms}::jsonb, ${cap}::jsonb)::found_audience`;
}

/** The work on broadcasts in PostgreSQL: recipients are claimed by row locks, a step is one transaction. */
export class PostgresBroadcastWork implements BroadcastWork {
  constructor(
    private readonly pool: Pool,
    private readonly senders: Senders = nobodySends,
  ) {}

  async find(id: string): Promise<BroadcastState | undefined> {
    const { rows } = await this.pool.query<{
      workspace_id: string;
      status: BroadcastStatus;
      audience: FilteredAudience;
    }>(
      `SELECT workspace_id, status, CASE WHEN status IN ('scheduled', 'preparing') THEN audience - '{recipients,user_ids}'::text[]
         ELSE '{}' END AS audience
       FROM broadcasts WHERE id = $1`,
      [id],
    );
    const [row] = rows;
    return row && { id, workspaceId: row.workspace_id, status: row.status, audience: row.audience };
  }

  async prepare(state: BroadcastState, filters: AudienceFilters): Promise<BroadcastStatus | undefined> {
    await createNewContacts(this.pool, state.id);
    const parameters = new Parameters();
    const id = parameters.value(state.id);
    const found = foundSql(state.workspaceId, filters, parameters);
    const text = `SELECT prepare_broadcast(${id}, ${SENDING_LIMIT}, ${found}) AS status`;
    const { values } = parameters;
    const rows = await callAdHoc<{ status: BroadcastStatus | null }>(this.pool, WHAT, text, values);
    return rows[0]?.status ?? undefined;
  }

  async sendChunk(id: string, most: number): Promise<{ sent: number; takers: readonly string[] }> {
    const askedAt = new Moment();
    const rows = await callFunction<{ sent: number; tasks: readonly DeliveryTask[] }>(
      this.pool,
      WHAT,
      'SELECT * FROM send_broadcast_chunk($1, $2, sending_limit => $3, takers => $4, lease_seconds => $5)',
      [id, most, SENDING_LIMIT, JSON.stringify(this.senders.rooms()), LEASE_SECONDS],
    );
    const { sent = 0, tasks = [] } = rows[0] ?? {};
    if (tasks.length > 0) await this.senders.take(tasks, askedAt);
    return { sent, takers: [...new Set(tasks.map(({ connection_id: taker }) => taker))] };
  }

  async hold(id: string, most: number): Promise<number> {
    const text = 'SELECT hold_queued($1, $2) AS held';
    const rows = await callFunction<{ held: number }>(this.pool, WHAT, text, [id, most]);
    return rows[0]?.held ?? 0;
  }

  async cancelStep(id: string, most: number): Promise<'queued' | 'pending' | 'none'> {
    const text = 'SELECT cancel_broadcast_step($1, $2) AS done';
    const rows = await callFunction<{ done: 'queued' | 'pending' | 'none' }>(this.pool, WHAT, text, [
      id,
      most,
    ]);
    return rows[0]?.done ?? 'none';
  }

  async requeue(): Promise<void> {
    await this.pool.query('SELECT requeue_broadcasts()');
  }
}
