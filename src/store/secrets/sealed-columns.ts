import type { Pool } from 'pg';
import type { SecretLocation } from '../../core/common/secret-box.js';
import { inTransaction } from '../connection/transaction.js';
import { sealedFields } from '../idempotency/sealed-answers.js';

/** A sealed value in the database. */
export interface SealedValue {
  /** Display name, such as `webhook <id>`. */
  readonly name: string;
  readonly sealed: Buffer;
  readonly place: SecretLocation;
  /** The workspace whose key seals the value. Null: the key for values that belong to no workspace. */
  readonly owner: string | null;
  /** False for a value of a deleted webhook, which nothing opens. */
  readonly isUsed: boolean;
  /** The key of its row. */
  readonly row: readonly string[];
}

/** One kind of sealed value, read in pages. */
export interface SealedColumn {
  readonly name: string;
  pages(pool: Pool): AsyncIterable<readonly SealedValue[]>;
  /** Resolves with false when the value was changed or deleted concurrently. */
  replace(pool: Pool, value: SealedValue, sealed: Buffer): Promise<boolean>;
}

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly is_used: boolean;
  readonly sealed: Buffer;
}

const PAGE = 200;
const FIRST = '00000000-0000-0000-0000-000000000000';
const UNTIL_NOW = `SELECT set_config('trunkline.sealing_again', 'on', true)`;

function column(
  what: string,
  table: string,
  name: string,
  field: string,
  { id = 'id', workspace = 'workspace_id', isShared = false, isUsed = 'true' } = {},
): SealedColumn {
  const select = `
    SELECT ${id} AS id, ${workspace} AS workspace_id, ${isUsed} AS is_used, ${name} AS sealed FROM ${table}
    WHERE ${id} > $1 AND ${name} IS NOT NULL ORDER BY ${id} LIMIT ${PAGE}`;
  const update = `UPDATE ${table} SET ${name} = $3 WHERE ${id} = $1 AND ${name} = $2`;
  return {
    name: `${table}.${name}`,
    async *pages(pool) {
      for (let last: string | undefined = FIRST; last !== undefined; ) {
        const { rows }: { rows: Row[] } = await pool.query<Row>(select, [last]);
        if (rows.length === 0) return;
        yield rows.map((row) => ({
          name: `${what} ${row.id}`,
          sealed: row.sealed,
          place: { workspaceId: row.workspace_id, rowId: row.id, field },
          owner: isShared ? null : row.workspace_id,
          isUsed: row.is_used,
          row: [row.id],
        }));
        last = rows.at(-1)?.id;
      }
    },
    replace: (pool, { row, sealed }, sealedAgain) =>
      inTransaction(pool, async (client) => {
        await client.query(UNTIL_NOW);
        return (await client.query(update, [...row, sealed, sealedAgain])).rowCount === 1;
      }),
  };
}

/** Rows of deleted webhooks stay, with their sealed values. */
function ofWebhooks(name: string, field: string): SealedColumn {
  return column('webhook', 'webhooks', name, field, { isUsed: 'deleted_at IS NULL' });
}

interface AnswerRow {
  readonly credential_id: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly resource_id: string;
  readonly body: unknown;
}

const ANSWERS = `
  SELECT credential_id, method, path, key, resource_id, body FROM idempotency_keys
  WHERE (credential_id, method, path, key) > ($1, $2, $3, $4) AND strpos(body::text, '"$sealed"') > 0
  ORDER BY credential_id, method, path, key LIMIT ${PAGE}`;
// Base64 has no character that JSON escapes.
const REPLACE_IN_ANSWER = `
  UPDATE idempotency_keys SET body = replace(body::text, $5, $6)::json
  WHERE credential_id = $1 AND method = $2 AND path = $3 AND key = $4 AND strpos(body::text, $5) > 0`;

/** Stored responses, which are kept for a day and hold secrets that were shown once. */
const answers: SealedColumn = {
  name: 'idempotency_keys.body',
  async *pages(pool) {
    for (let last = [FIRST, '', '', '']; ; ) {
      const { rows } = await pool.query<AnswerRow>(ANSWERS, last);
      if (rows.length === 0) return;
      yield rows.flatMap(valuesOf);
      last = rowOf(rows[rows.length - 1]!);
    }
  },
  async replace(pool, { row, sealed }, sealedAgain) {
    const texts = [sealed.toString('base64'), sealedAgain.toString('base64')];
    return (await pool.query(REPLACE_IN_ANSWER, [...row, ...texts])).rowCount === 1;
  },
};

function valuesOf(answer: AnswerRow): SealedValue[] {
  const name = `stored answer about ${answer.resource_id}`;
  const fields = sealedFields(answer.resource_id, answer.body);
  return fields.map(({ sealed, place }) => ({
    name,
    sealed,
    place,
    owner: null,
    isUsed: true,
    row: rowOf(answer),
  }));
}

function rowOf({ credential_id, method, path, key }: AnswerRow): string[] {
  return [credential_id, method, path, key];
}

/** Every column with sealed values. A test compares them with the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  column('connection', 'connections', 'credentials', 'credentials'),
  ofWebhooks('secret', 'webhooks.secret'),
  ofWebhooks('previous_secret', 'webhooks.secret'),
  ofWebhooks('headers', 'webhooks.headers'),
  column('second step of user', 'second_steps', 'secret', 'second_steps.secret', { id: 'user_id' }),
  // A push key belongs to no workspace. Its own id replaces the workspace id.
  column('push key', 'push_keys', 'secret', 'push_keys.secret', { workspace: 'id', isShared: true }),
  answers,
];
