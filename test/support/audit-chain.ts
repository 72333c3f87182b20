import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction } from '../../src/store/connection/transaction.js';

/** Adds rows to the audit log of a workspace, each in its own transaction. */
export async function writeAuditRows(pool: Pool, workspaceId: string, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1)
    await pool.query(`SELECT write_audit_log($1, $2, 'user', $3, NULL, '10.0.0.1')`, [
      workspaceId,
      `test.${at}`,
      uuidv7(),
    ]);
}

/** Changes the audit log as only the owner of its tables can. */
export function tamper(pool: Pool, ...statements: readonly string[]): Promise<void> {
  return inTransaction(pool, async (client) => {
    for (const table of ['audit_log', 'audit_chain'])
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    for (const statement of statements) await client.query(statement);
    for (const table of ['audit_log', 'audit_chain'])
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  });
}

/** The id of the row with a number, as SQL. */
export const rowAt = (number: number) => `(SELECT row_id FROM audit_chain WHERE number = ${number})`;
