import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { unavailable } from '../../core/common/errors.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ListedMember, NewSegment, SegmentChange, SegmentStore } from '../../core/segments/ports.js';
import { type SegmentRecord, segmentList } from '../../core/segments/record.js';
import {
  addMembers,
  completeSegment,
  createSegment,
  deleteSegment,
  purgeSegments,
  segmentRecordSql,
  updateSegment,
} from '../calls.gen.js';
import { unlessLost } from '../connection/function-calls.js';
import { translateRefusal } from '../connection/refusals.js';
import { inTransaction } from '../connection/transaction.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The segment';
/** How often an import that waits for other lists of the workspace retries. It holds no connection while it waits. */
const TURN_MS = 100;
/** Maximum number of lists that this process stores at once. Each takes a connection, and its current batch is in memory. */
const LISTS_AT_ONCE = 4;
/** Enough time for several lists of a million rows. A client that waits for longer must retry. */
const TIMEOUT_MS = 60_000;

type Answer = { readonly record: SegmentRecord };

const segmentSource: ListSource = {
  table: 'segments',
  record: segmentRecordSql('segments'),
  where: 'deleted_at IS NULL',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    name: 'name',
    kind: 'kind',
    metadata: 'metadata',
  },
};

/** Segments in PostgreSQL. */
export class PostgresSegments implements SegmentStore {
  #listsBeingStored = 0;

  constructor(
    private readonly pool: Pool,
    private readonly maxWaitMs = TIMEOUT_MS,
  ) {}

  async find(workspaceId: string, id: string): Promise<SegmentRecord | undefined> {
    const { rows } = await readIn<Answer>(this.pool, workspaceId, {
      text: `SELECT ${segmentRecordSql('s')} AS record FROM segments s
       WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<SegmentRecord>> {
    return listRecords(this.pool, segmentSource, segmentList, workspaceId, query);
  }

  async create(segment: NewSegment): Promise<SegmentRecord> {
    return (await createSegment(this.pool, segment, WHAT)).record;
  }

  async createFromList(
    segment: NewSegment,
    list: () => AsyncIterable<readonly ListedMember[]>,
  ): Promise<SegmentRecord> {
    const endsAt = performance.now() + this.maxWaitMs;
    for (;;) {
      const stored = await this.#tryToStore(segment, list);
      if (stored !== undefined) return stored;
      if (performance.now() >= endsAt) throw unavailable('backlog', 'Other lists are being stored.');
      await sleep(TURN_MS);
    }
  }

  /** Undefined while this process stores too many lists, or any process stores another list of the same workspace. */
  async #tryToStore(
    segment: NewSegment,
    list: () => AsyncIterable<readonly ListedMember[]>,
  ): Promise<SegmentRecord | undefined> {
    if (this.#listsBeingStored >= LISTS_AT_ONCE) return undefined;
    this.#listsBeingStored += 1;
    try {
      return await unlessLost(() => this.#storeInTurn(segment, list));
    } catch (error) {
      return translateRefusal(error, WHAT);
    } finally {
      this.#listsBeingStored -= 1;
    }
  }

  /**
   * Undefined while another list of the workspace is being stored, because it may name the same new addresses in another order.
   */
  #storeInTurn(
    segment: NewSegment,
    list: () => AsyncIterable<readonly ListedMember[]>,
  ): Promise<SegmentRecord | undefined> {
    const { claim, ...fields } = segment;
    return inTransaction(this.pool, async (client) => {
      const turn = await client.query<{ taken: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('lists ' || $1, 0)) AS taken`,
        [segment.workspace_id],
      );
      if (turn.rows[0]?.taken !== true) return undefined;
      await createSegment(client, fields, WHAT);
      for await (const members of list()) await storeMembers(client, segment, members);
      return completeSegment(client, { segment: segment.id, claim: claim ?? null });
    });
  }

  async change(workspaceId: string, id: string, patch: SegmentChange): Promise<SegmentRecord> {
    const input = { workspace_id: workspaceId, id, patch };
    return (await updateSegment(this.pool, input, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await deleteSegment(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }

  async filtersOf(workspaceId: string, ids: readonly string[]): Promise<string[]> {
    const { rows } = await readIn<{ filter: string }>(this.pool, workspaceId, {
      text: `SELECT filter FROM segments WHERE id = ANY ($1::uuid[]) AND workspace_id = $2 AND kind = 'filter'`,
      values: [ids, workspaceId],
    });
    return rows.map((row) => row.filter);
  }

  purge(): Promise<void> {
    return purgeSegments(this.pool);
  }
}

async function storeMembers(
  client: PoolClient,
  segment: NewSegment,
  members: readonly ListedMember[],
): Promise<void> {
  const listed = members.map(({ userId, displayName, ...member }) => ({
    ...member,
    user_id: userId,
    display_name: displayName,
  }));
  await addMembers(client, { segment: segment.id, workspace: segment.workspace_id, listed });
}
