import type { Pool } from 'pg';
import type { MessageVersionRecord } from '../../core/messages/record.js';
import { EXAMINED_EVENTS, MAX_STEPS, type MessageTraceRecord, traceOf } from '../../core/messages/trace.js';
import { readMessageTrace, wireTimeSql } from '../calls.gen.js';
import { readerOf, readIn } from '../connection/workspace-reads.js';

/** The versions of a message before its edits, the newest first. */
export async function readVersions(
  pool: Pool,
  workspaceId: string,
  id: string,
): Promise<readonly MessageVersionRecord[]> {
  const { rows } = await readIn<MessageVersionRecord>(pool, workspaceId, {
    text: `SELECT revision, text, content_type, ${wireTimeSql('created_at')} AS created_at
       FROM message_versions WHERE message_id = $1 AND workspace_id = $2 ORDER BY revision DESC`,
    values: [id, workspaceId],
  });
  return rows;
}

/** The trace of a message, from the rows that each step left. */
export async function readTrace(pool: Pool, workspaceId: string, id: string): Promise<MessageTraceRecord> {
  const found = await readMessageTrace(readerOf(pool, workspaceId), {
    workspace: workspaceId,
    message: id,
    maxSteps: MAX_STEPS,
    examined: EXAMINED_EVENTS,
  });
  return traceOf(id, found);
}

/** The trace of a message of any workspace, for a command without a caller. Undefined: there is no such message. */
export async function traceAnywhere(pool: Pool, id: string): Promise<MessageTraceRecord | undefined> {
  const { rows } = await pool.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM messages WHERE id = $1 AND deleted_at IS NULL',
    [id],
  );
  return rows[0] && readTrace(pool, rows[0].workspace_id, id);
}
