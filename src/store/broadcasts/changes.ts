import type { Pool } from 'pg';
import type {
  BroadcastChangeStore,
  BroadcastChangeWork,
  ChangeLimits,
  NewBroadcastChange,
  SentCount,
} from '../../core/broadcasts/changes/ports.js';
import {
  type BroadcastChangeRecipientRecord,
  type BroadcastChangeRecord,
  broadcastChangeRecipientList,
} from '../../core/broadcasts/changes/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  broadcastChangeRecipientRecordSql,
  broadcastChangeRecordSql,
  claimBroadcastChange,
  processBroadcastChange,
  purgeBroadcastChanges,
  releaseBroadcastChange,
  startBroadcastChange,
  stopBroadcastChange,
  wakeBroadcastChanges,
} from '../calls.gen.js';
import { purgeInBatches } from '../connection/batches.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

/** Maximum number of listed changes of a broadcast. */
const NEWEST = 20;

const recipientSource: ListSource = {
  table: 'broadcast_change_recipients',
  record: broadcastChangeRecipientRecordSql('broadcast_change_recipients'),
  fields: { id: 'id', created_at: 'created_at', result: 'result', platform: 'platform' },
};

/** Edits and recalls of broadcasts in PostgreSQL. */
export class PostgresBroadcastChanges implements BroadcastChangeStore, BroadcastChangeWork {
  constructor(private readonly pool: Pool) {}

  async countSent(workspaceId: string, broadcastId: string, limits: ChangeLimits): Promise<SentCount[]> {
    const { rows } = await readIn<SentCount>(this.pool, workspaceId, {
      text: `SELECT r.platform, count(*)::int AS recipients,
          count(*) FILTER (WHERE m.id IS NULL)::int AS deleted,
          count(*) FILTER (WHERE m.id IS NOT NULL AND coalesce(r.sent_at, r.queued_at)
            < now() - make_interval(secs => ($3::jsonb->r.platform->>'max_age_s')::int))::int AS too_old
        FROM broadcast_recipients r LEFT JOIN messages m ON m.id = r.message_id AND m.deleted_at IS NULL
        WHERE r.broadcast_id = $1 AND r.workspace_id = $2
          AND r.status IN ('sent', 'delivered', 'read', 'uncertain')
        GROUP BY r.platform ORDER BY r.platform`,
      values: [broadcastId, workspaceId, JSON.stringify(limits)],
    });
    return rows;
  }

  async start(change: NewBroadcastChange): Promise<BroadcastChangeRecord> {
    return (await startBroadcastChange(this.pool, change, 'The broadcast')).record;
  }

  async list(workspaceId: string, broadcastId: string): Promise<BroadcastChangeRecord[]> {
    const { rows } = await readIn<{ record: BroadcastChangeRecord }>(this.pool, workspaceId, {
      text: `SELECT ${broadcastChangeRecordSql('c')} AS record FROM broadcast_changes c
        WHERE broadcast_id = $1 AND workspace_id = $2 ORDER BY created_at DESC, id DESC LIMIT ${NEWEST}`,
      values: [broadcastId, workspaceId],
    });
    return rows.map(({ record }) => record);
  }

  async find(workspaceId: string, id: string): Promise<BroadcastChangeRecord | undefined> {
    const { rows } = await readIn<{ record: BroadcastChangeRecord }>(this.pool, workspaceId, {
      text: `SELECT ${broadcastChangeRecordSql('c')} AS record FROM broadcast_changes c
        WHERE id = $1 AND workspace_id = $2`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  listRecipients(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastChangeRecipientRecord>> {
    const own = { sql: 'change_id = $1::uuid', values: [id] };
    return listRecords(this.pool, recipientSource, broadcastChangeRecipientList, workspaceId, query, [own]);
  }

  async stop(workspaceId: string, id: string): Promise<BroadcastChangeRecord> {
    return (await stopBroadcastChange(this.pool, { workspace_id: workspaceId, id }, 'The change')).record;
  }

  claim(id: string): Promise<boolean> {
    return claimBroadcastChange(this.pool, id);
  }

  release(id: string): Promise<void> {
    return releaseBroadcastChange(this.pool, id);
  }

  step(id: string, batchSize: number): Promise<'continue' | 'idle' | 'ended'> {
    return processBroadcastChange(this.pool, { change: id, batchSize });
  }

  async sweep(): Promise<void> {
    await wakeBroadcastChanges(this.pool);
    await purgeInBatches((batchSize) => purgeBroadcastChanges(this.pool, batchSize));
  }
}
