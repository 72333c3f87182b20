import type { Pool } from 'pg';
import type { AttachmentRecord } from '../../core/messages/record.js';
import type { MediaOutcome, MediaStore, MediaTask, NewUpload, StoredMedia } from '../../core/ports/media.js';
import { readIn } from '../connection/workspace-reads.js';

const USABLE = `
  SELECT id FROM media WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND source = 'upload' AND state = 'ready'
    AND removed_at IS NULL AND created_at > now() - interval '24 hours'`;

const FIND = `
  SELECT m.id, m.name, m.mime_type AS "mimeType", m.size::float8 AS "sizeBytes" FROM media m
  WHERE m.id = $1 AND m.state = 'ready' AND m.removed_at IS NULL`;

/** Stored copies in PostgreSQL. */
export class PostgresMedia implements MediaStore {
  constructor(private readonly pool: Pool) {}

  async storeUpload(upload: NewUpload): Promise<AttachmentRecord> {
    const { rows } = await this.pool.query<{ record: AttachmentRecord }>(
      'SELECT store_upload($1) AS record',
      [JSON.stringify(upload)],
    );
    if (rows[0] === undefined) throw new Error('store_upload answered no row.');
    return rows[0].record;
  }

  async usableUploads(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await readIn<{ id: string }>(this.pool, workspaceId, {
      text: USABLE,
      values: [workspaceId, ids],
    });
    return new Set(rows.map(({ id }) => id));
  }

  async find(id: string): Promise<StoredMedia | undefined> {
    return (await this.pool.query<StoredMedia>(FIND, [id])).rows[0];
  }

  async findForConnection(connectionId: string, id: string): Promise<StoredMedia | undefined> {
    const own = 'm.workspace_id = (SELECT workspace_id FROM connections WHERE id = $2)';
    return (await this.pool.query<StoredMedia>(`${FIND} AND ${own}`, [id, connectionId])).rows[0];
  }

  async claim(id: string, leaseSeconds: number): Promise<MediaTask | undefined> {
    const { rows } = await this.pool.query<{ task: MediaTask | null }>('SELECT claim_media($1, $2) AS task', [
      id,
      leaseSeconds,
    ]);
    return rows[0]?.task ?? undefined;
  }

  async finish(task: MediaTask, outcome: MediaOutcome): Promise<boolean> {
    const { rows } = await this.pool.query<{ done: boolean }>('SELECT finish_media($1, $2, $3) AS done', [
      task.id,
      task.tries,
      JSON.stringify(outcome),
    ]);
    return rows[0]?.done ?? false;
  }

  async postpone(task: MediaTask, waitSeconds: number, counted: boolean): Promise<void> {
    await this.pool.query('SELECT postpone_media($1, $2, $3, $4)', [
      task.id,
      task.tries,
      waitSeconds,
      counted,
    ]);
  }

  async wakeStalled(): Promise<void> {
    await this.pool.query('SELECT wake_forgotten_media()');
  }

  async expire(most: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ ids: string[] }>('SELECT expire_media($1) AS ids', [most]);
    return rows[0]?.ids ?? [];
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.pool.query('DELETE FROM media WHERE id = ANY ($1::uuid[]) AND removed_at IS NOT NULL', [ids]);
  }

  async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT id FROM media WHERE id = ANY ($1::uuid[])',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
