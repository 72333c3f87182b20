import type { Pool } from 'pg';
import type {
  AudienceFilters,
  BroadcastState,
  BroadcastWork,
  FilteredAudience,
} from '../../core/broadcasts/ports.js';
import { type BroadcastRecipientRecord, broadcastRecipientList } from '../../core/broadcasts/record.js';
import type { BroadcastStatus } from '../../core/broadcasts/states.js';
import { Stopwatch } from '../../core/common/stopwatch.js';
import { type LocalDispatcher, noDispatcher } from '../../core/deliveries/dispatch/local-dispatcher.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  broadcastRecipientRecordSql,
  cancelBroadcastStep,
  holdQueuedDeliveries,
  prepareBroadcast,
  requeueBroadcasts,
  sendBroadcastChunk,
} from '../calls.gen.js';
import { LEASE_SECONDS } from '../deliveries/deliveries.js';
import { type Fragment, impliedLowFrequencyStatus, Parameters } from '../listing/filter.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { contactsSql } from '../people/users.js';
import { createNewContacts } from './new-contacts.js';

/** Maximum number of broadcasts of a workspace that are sent at once. */
export const SENDING_LIMIT = 5;

/** Statuses that few recipients have. They are the values of the column `rare_status`. */
const LOW_FREQUENCY_STATUSES = ['failed', 'uncertain', 'canceled', 'expired'];

const recipientSource: ListSource = {
  table: 'broadcast_recipients',
  record: broadcastRecipientRecordSql('broadcast_recipients'),
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    status: {
      sql: 'status',
      implies: (clause, parameters) => impliedLowFrequencyStatus(clause, LOW_FREQUENCY_STATUSES, parameters),
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

/** The value of type found_audience for these filters. */
export function foundAudience(workspaceId: string, filters: AudienceFilters): Fragment {
  const parameters = new Parameters();
  const ids = (all: AudienceFilters['included']) => {
    const queries = all.map((filter) => `(${contactsSql(workspaceId, filter, parameters)})`);
    return queries.length === 0 ? `'{}'::uuid[]` : `ARRAY(${queries.join(' UNION ALL ')})`;
  };
  const forms = parameters.value(JSON.stringify(filters.addressForms));
  const cap = parameters.value(filters.cap === null ? null : JSON.stringify(filters.cap));
  const sql = `ROW(${ids(filters.included)}, ${ids(filters.excluded)}, ${forms}::jsonb, ${cap}::jsonb)::found_audience`;
  return { sql, values: parameters.values };
}

/** The work on broadcasts in PostgreSQL. Recipients are claimed by row locks, and a step is one transaction. */
export class PostgresBroadcastWork implements BroadcastWork {
  constructor(
    private readonly pool: Pool,
    private readonly dispatcher: LocalDispatcher = noDispatcher,
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
    const filtered = foundAudience(state.workspaceId, filters);
    const status = await prepareBroadcast(this.pool, {
      broadcast: state.id,
      maxSending: SENDING_LIMIT,
      filtered,
    });
    return status ?? undefined;
  }

  async sendChunk(
    id: string,
    maxRecipients: number,
  ): Promise<{ sent: number; connections: readonly string[] }> {
    const askedAt = new Stopwatch();
    const { sent, tasks } = await sendBroadcastChunk(this.pool, {
      broadcast: id,
      maxRecipients,
      sendingLimit: SENDING_LIMIT,
      localCapacity: this.dispatcher.capacities(),
      leaseSeconds: LEASE_SECONDS,
    });
    if (tasks.length > 0) await this.dispatcher.take(tasks, askedAt);
    return { sent, connections: [...new Set(tasks.map((task) => task.connection_id))] };
  }

  hold(id: string, maxRecipients: number): Promise<number> {
    return holdQueuedDeliveries(this.pool, { broadcast: id, maxDeliveries: maxRecipients });
  }

  cancelStep(id: string, batchSize: number): Promise<'queued' | 'pending' | 'none'> {
    return cancelBroadcastStep(this.pool, { broadcast: id, batchSize });
  }

  requeue(): Promise<void> {
    return requeueBroadcasts(this.pool);
  }
}
