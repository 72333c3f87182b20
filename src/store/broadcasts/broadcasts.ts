import type { Pool, PoolClient } from 'pg';
import type {
  AudienceFilters,
  BroadcastFields,
  BroadcastMove,
  BroadcastStore,
  DryRunResult,
  NewBroadcast,
  RenderedText,
} from '../../core/broadcasts/ports.js';
import {
  type BroadcastProgress,
  type BroadcastRecipientRecord,
  type BroadcastRecord,
  broadcastList,
  type PlatformCount,
} from '../../core/broadcasts/record.js';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  broadcastProgressRecordSql,
  broadcastRecordSql,
  cancelBroadcast,
  changeBroadcastState,
  createBroadcast,
  dryRunBroadcast,
  frozenTextsSql,
  retryBroadcast,
  updateBroadcast,
} from '../calls.gen.js';
import { unlessLost } from '../connection/function-calls.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { foundAudience, listRecipients, SENDING_LIMIT } from './recipients.js';
import { inRolledBackTransaction } from './rolled-back-transaction.js';

const WHAT = 'The broadcast';

/** Maximum number of texts of a rehearsal that are in memory at once. */
const TEXTS_AT_ONCE = 2_000;

const broadcastSource: ListSource = {
  table: 'broadcasts',
  record: broadcastRecordSql('broadcasts'),
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    scheduled_at: 'scheduled_at',
    status: 'status',
    category: 'category',
    created_by: 'created_by',
    metadata: 'metadata',
  },
};

/** Passes each different text of a broadcast that was frozen in this transaction to `see`. */
async function showTexts(
  client: PoolClient,
  id: string,
  see: (texts: readonly RenderedText[]) => void,
): Promise<void> {
  const text = `DECLARE texts NO SCROLL CURSOR FOR
    SELECT platform, text, count(*)::int AS times FROM ${frozenTextsSql('$1')} GROUP BY platform, text`;
  await client.query(text, [id]);
  for (;;) {
    const { rows } = await client.query<RenderedText>(`FETCH ${TEXTS_AT_ONCE} FROM texts`);
    if (rows.length === 0) return;
    see(rows);
  }
}

/** Management of broadcasts in PostgreSQL. */
export class PostgresBroadcasts implements BroadcastStore {
  constructor(private readonly pool: Pool) {}

  async create(broadcast: NewBroadcast): Promise<BroadcastRecord> {
    return (await createBroadcast(this.pool, broadcast, WHAT)).record;
  }

  rehearse(
    broadcast: NewBroadcast,
    filters: AudienceFilters,
    see: (texts: readonly RenderedText[], contentType: 'text' | 'markdown') => void,
  ): Promise<DryRunResult> {
    // Steps that can lose to a concurrent transaction run before the first text is shown, so a retry shows no text twice.
    return unlessLost(() =>
      inRolledBackTransaction(this.pool, async (client) => {
        const filtered = foundAudience(broadcast.workspace_id, filters);
        const rehearsed = await dryRunBroadcast(client, { input: broadcast, filtered }, WHAT);
        await showTexts(client, broadcast.id, (texts) => see(texts, rehearsed.content_type));
        return rehearsed;
      }),
    );
  }

  async find(workspaceId: string, id: string): Promise<BroadcastRecord | undefined> {
    const { rows } = await readIn<{ record: BroadcastRecord }>(this.pool, workspaceId, {
      text: `SELECT ${broadcastRecordSql('b')} AS record FROM broadcasts b WHERE id = $1 AND workspace_id = $2`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  async findProgress(workspaceId: string, id: string): Promise<BroadcastProgress | undefined> {
    const { rows } = await readIn<{ record: BroadcastProgress }>(this.pool, workspaceId, {
      text: `SELECT ${broadcastProgressRecordSql('b')} AS record FROM broadcasts b
        WHERE id = $1 AND workspace_id = $2`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<BroadcastRecord>> {
    return listRecords(this.pool, broadcastSource, broadcastList, workspaceId, query);
  }

  listRecipients(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<BroadcastRecipientRecord>> {
    return listRecipients(this.pool, workspaceId, id, query);
  }

  async countByPlatform(workspaceId: string, id: string): Promise<PlatformCount[]> {
    const { rows } = await readIn<PlatformCount>(this.pool, workspaceId, {
      text: `SELECT platform, status, count(*)::int AS recipients FROM broadcast_recipients
        WHERE broadcast_id = $1 AND workspace_id = $2 GROUP BY platform, status ORDER BY platform, status`,
      values: [id, workspaceId],
    });
    return rows;
  }

  async change(workspaceId: string, id: string, patch: BroadcastFields): Promise<BroadcastRecord> {
    const input = { workspace_id: workspaceId, id, patch };
    return (await updateBroadcast(this.pool, input, WHAT)).record;
  }

  async move(
    workspaceId: string,
    id: string,
    move: BroadcastMove,
    claim?: ClaimKey,
  ): Promise<BroadcastRecord> {
    const input = { workspace_id: workspaceId, id, move, max_sending: SENDING_LIMIT, claim };
    return (await changeBroadcastState(this.pool, input, WHAT)).record;
  }

  async retry(workspaceId: string, id: string, claim?: ClaimKey): Promise<BroadcastRecord> {
    const input = { workspace_id: workspaceId, id, max_sending: SENDING_LIMIT, claim };
    return (await retryBroadcast(this.pool, input, WHAT)).record;
  }

  async cancel(workspaceId: string, id: string): Promise<void> {
    await cancelBroadcast(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }
}
