import type { Pool, PoolClient } from 'pg';
import { claimListBatch, countListBatch, storeListBatch } from '../calls.gen.js';
import { inTransaction } from '../connection/transaction.js';
import { type FieldValue, Trigrams } from './trigrams.js';

/** Records per batch. A smaller batch makes a search more precise, a larger one takes less space. */
const BATCH = 200;
const COUNTED = 5_000;
/** Maximum number of batches per round, because other sweeps wait for it. */
const BATCHES = 25;
const COUNTS = 5;
/** Maximum number of workspaces per round. The next round continues after the last one. */
const WORKSPACES = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Due {
  readonly id: string;
  readonly due: boolean;
}

/**
 * Selects workspaces and whether each has work. This also holds when the clock was set back to before the last indexed record.
 */
const DUE = `
  SELECT l.workspace_id AS id, greatest(l.messages_until, l.users_until, l.conversations_until, l.counted_until) > now()
    OR EXISTS (SELECT FROM list_portions p WHERE p.workspace_id = l.workspace_id AND p.stale)
    OR EXISTS (SELECT FROM messages m WHERE m.workspace_id = l.workspace_id AND m.deleted_at IS NULL
      AND m.created_at >= l.messages_until OFFSET $3)
    OR EXISTS (SELECT FROM conversations c WHERE c.workspace_id = l.workspace_id AND c.deleted_at IS NULL
      AND c.created_at >= l.conversations_until OFFSET $3)
    OR EXISTS (SELECT FROM users u WHERE u.workspace_id = l.workspace_id AND u.created_at >= l.users_until OFFSET $3) AS due
  FROM (SELECT * FROM list_progress WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2) l ORDER BY l.workspace_id`;

const FOUND = `workspace_id = $1 AND created_at >= $2 AND created_at < $3 AND deleted_at IS NULL`;
/** Selects the field, the value and the lower-case value of everything in a batch that can be searched for. */
const HELD = {
  messages: `SELECT DISTINCT 'text' AS field, text AS value, lower(text) AS lower FROM messages WHERE ${FOUND}`,
  users: `
    SELECT DISTINCT v.field, v.value, lower(v.value) AS lower FROM users CROSS JOIN LATERAL (
      VALUES ('username', username), ('display_name', display_name), ('email', email), ('phone', phone)) AS v (field, value)
    WHERE ${FOUND} AND v.value <> ''`,
  conversations: `SELECT DISTINCT 'title' AS field, title AS value, lower(title) AS lower FROM conversations
    WHERE ${FOUND} AND title <> ''`,
} as const;
const metadataOf = (list: keyof typeof HELD) => `
  SELECT DISTINCT 'metadata.' || e.key AS field, e.value, lower(e.value) AS lower
  FROM ${list} CROSS JOIN LATERAL jsonb_each_text(metadata) AS e
  WHERE ${FOUND} AND metadata <> '{}' AND e.value IS NOT NULL`;

/** Gives lists the positions and the number of records, after the records were written: see 0022_long_lists.sql. */
export class SearchIndexer {
  #after = FIRST;
  /** Workspaces in which the last round found work. Some counting may be left there. */
  readonly #busy = new Set<string>();

  constructor(
    private readonly pool: Pool,
    private readonly size = BATCH,
    private readonly counted = COUNTED,
  ) {}

  /** Runs a round over some workspaces. Resolves with the number of batches. */
  async run(): Promise<number> {
    const workspaces = await this.#workspaces();
    let made = 0;
    for (const { id, due } of workspaces) {
      if (due || this.#busy.has(id)) made += await this.#visit(id, BATCHES - made);
      this.#after = id;
      if (made === BATCHES) break;
    }
    const last = workspaces.at(-1)?.id;
    if (last === undefined || (workspaces.length < WORKSPACES && this.#after === last)) this.#after = FIRST;
    return made;
  }

  async #visit(id: string, maxBatches: number): Promise<number> {
    let made = 0;
    for (const list of ['messages', 'users', 'conversations'] as const)
      while (made < maxBatches && (await this.#tell(id, list))) made += 1;
    let counted = 0;
    while (counted < COUNTS && (await this.#count(id))) counted += 1;
    if (made + counted > 0) this.#busy.add(id);
    else this.#busy.delete(id);
    return made;
  }

  /** The workspaces of this round, and whether each has enough records for a batch. Most of them usually have nothing new. */
  async #workspaces(): Promise<Due[]> {
    await this.pool.query(
      `INSERT INTO list_progress (workspace_id)
       SELECT id FROM workspaces w WHERE NOT EXISTS (SELECT FROM list_progress l WHERE l.workspace_id = w.id)
       ON CONFLICT DO NOTHING`,
    );
    const { rows } = await this.pool.query<Due>(DUE, [this.#after, WORKSPACES, this.size - 1]);
    return rows;
  }

  async #tell(workspaceId: string, list: keyof typeof HELD): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const place = { workspace: workspaceId, wanted: list };
      const { begins, ends } = await claimListBatch(client, { ...place, size: this.size });
      if (begins === null || ends === null) return false;
      const hashes = await held(client, list, [workspaceId, begins, ends]);
      await storeListBatch(client, { ...place, begins, ends, hashes });
      return true;
    });
  }

  #count(workspaceId: string): Promise<boolean> {
    return countListBatch(this.pool, { workspace: workspaceId, size: this.counted });
  }
}

async function held(
  client: PoolClient,
  list: keyof typeof HELD,
  range: readonly [string, string, string],
): Promise<number[] | null> {
  const grams = new Trigrams(range[0], list);
  for (const text of [HELD[list], metadataOf(list)]) {
    const { rows } = await client.query<FieldValue>(text, [...range]);
    for (const row of rows) grams.record(row);
  }
  return grams.hashes;
}
