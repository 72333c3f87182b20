import type { Pool, PoolClient } from 'pg';
import { type FieldValue, Grams } from './grams.js';
import { inTransaction } from './transaction.js';

/** Records told of together: fewer are found more precisely, more take less room. */
const PORTION = 200;
const COUNTED = 5_000;
/** Portions a round makes at most: the other sweeps wait meanwhile. */
const PORTIONS = 25;
const COUNTS = 5;
/** Workspaces a round looks at, one after the other round by round. */
const WORKSPACES = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Portion {
  readonly begins: string | null;
  readonly ends: string | null;
}

const FOUND = `workspace_id = $1 AND created_at >= $2 AND created_at < $3 AND deleted_at IS NULL`;
/** Field, value and small letters of all that can be searched for in a portion of a list. */
const HELD = {
  messages: `SELECT DISTINCT 'text' AS field, text AS value, lower(text) AS lower FROM messages WHERE ${FOUND}`,
  users: `
    SELECT DISTINCT v.field, v.value, lower(v.value) AS lower FROM users CROSS JOIN LATERAL (
      VALUES ('username', username), ('display_name', display_name), ('email', email), ('phone', phone)) AS v (field, value)
    WHERE ${FOUND} AND v.value <> ''`,
} as const;
const metadataOf = (list: keyof typeof HELD) => `
  SELECT DISTINCT 'metadata.' || e.key AS field, e.value, lower(e.value) AS lower
  FROM ${list} CROSS JOIN LATERAL jsonb_each_text(metadata) AS e
  WHERE ${FOUND} AND metadata <> '{}' AND e.value IS NOT NULL`;

/** Tells lists where records are and how many, after the records themselves: see 0022_long_lists.sql. */
export class ListPortions {
  #after = FIRST;

  constructor(
    private readonly pool: Pool,
    private readonly size = PORTION,
    private readonly counted = COUNTED,
  ) {}

  /** A round over some workspaces. Resolves with how many portions it made. */
  async run(): Promise<number> {
    const ids = await this.#workspaces();
    let made = 0;
    for (const id of ids) {
      for (const list of ['messages', 'users'] as const)
        while (made < PORTIONS && (await this.#tell(id, list))) made += 1;
      for (let n = 0; n < COUNTS && (await this.#count(id)); n += 1);
      const last = ids.length < WORKSPACES && id === ids.at(-1);
      this.#after = last ? FIRST : id;
      if (made === PORTIONS) break;
    }
    return made;
  }

  async #workspaces(): Promise<string[]> {
    await this.pool.query(
      `INSERT INTO list_progress (workspace_id)
       SELECT id FROM workspaces w WHERE NOT EXISTS (SELECT FROM list_progress l WHERE l.workspace_id = w.id)
       ON CONFLICT DO NOTHING`,
    );
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT workspace_id AS id FROM list_progress WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2',
      [this.#after, WORKSPACES],
    );
    return rows.map(({ id }) => id);
  }

  async #tell(workspaceId: string, list: keyof typeof HELD): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<Portion>(
        'SELECT begins::text, ends::text FROM take_portion($1, $2, $3)',
        [workspaceId, list, this.size],
      );
      const [portion] = rows;
      if (portion?.begins == null || portion.ends === null) return false;
      const { begins, ends } = portion;
      const hashes = await held(client, list, [workspaceId, begins, ends]);
      await client.query('SELECT keep_portion($1, $2, $3, $4, $5)', [
        workspaceId,
        list,
        begins,
        ends,
        hashes,
      ]);
      return true;
    });
  }

  async #count(workspaceId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ done: boolean }>('SELECT count_portion($1, $2) AS done', [
      workspaceId,
      this.counted,
    ]);
    return rows[0]?.done ?? false;
  }
}

async function held(
  client: PoolClient,
  list: keyof typeof HELD,
  range: readonly [string, string, string],
): Promise<number[] | null> {
  const grams = new Grams(range[0], list);
  for (const text of [HELD[list], metadataOf(list)]) {
    const { rows } = await client.query<FieldValue>(text, [...range]);
    for (const row of rows) grams.record(row);
  }
  return grams.hashes;
}
