import type { Pool } from 'pg';
import type { AuditRecord } from '../../core/audit/record.js';
import { auditRecordSql } from '../calls.gen.js';

const PAGE = 500;

/**
 * An entry of a chain with its row. The record is null when the row was deleted. The number and the hashes are null when the row
 * is in no chain.
 */
export interface ChainedRow {
  readonly workspace_id: string;
  readonly number: number | null;
  readonly row_id: string;
  readonly previous_hash: string | null;
  readonly hash: string | null;
  readonly record: AuditRecord | null;
}

const ROWS = `
  SELECT coalesce(c.workspace_id, a.workspace_id) AS workspace_id, c.number::float8 AS number,
    coalesce(c.row_id, a.id) AS row_id, encode(c.previous_hash, 'hex') AS previous_hash, encode(c.hash, 'hex') AS hash,
    CASE WHEN a.id IS NOT NULL THEN ${auditRecordSql('a')} END AS record
  FROM audit_chain c FULL JOIN audit_log a ON a.id = c.row_id
  ORDER BY 1, c.number NULLS LAST, a.created_at, a.id`;

/**
 * The audit logs of all workspaces in one snapshot. Each log is in the order of its chain, followed by rows that are in no chain.
 */
export async function* readAuditChains(pool: Pool): AsyncGenerator<ChainedRow> {
  const client = await pool.connect();
  let broken = true;
  try {
    // The transaction lasts as long as the output is read.
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
       SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
    );
    await client.query(`DECLARE chained CURSOR FOR ${ROWS}`);
    for (let more = true; more; ) {
      const { rows } = await client.query<ChainedRow>(`FETCH ${PAGE} FROM chained`);
      yield* rows;
      more = rows.length === PAGE;
    }
    await client.query('COMMIT');
    broken = false;
  } finally {
    client.release(broken);
  }
}
