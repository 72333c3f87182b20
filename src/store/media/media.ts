import type { Pool } from 'pg';
import { currentReader } from '../../core/access/reading.js';
import type { AttachmentRecord } from '../../core/media/attachment.js';
import type { MediaOutcome, MediaStore, MediaTask, NewUpload, StoredMedia } from '../../core/media/ports.js';
import {
  claimMedia,
  expireMedia,
  finishMedia,
  postponeMedia,
  storeUpload,
  wakeStalledMedia,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

const USABLE = `
  SELECT id FROM media WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND source = 'upload' AND state = 'ready'
    AND removed_at IS NULL AND created_at > now() - interval '24 hours' AND ($3::uuid IS NULL OR uploaded_by = $3)`;

const FIND = `
  SELECT m.id, m.name, m.mime_type AS "mimeType", m.size::float8 AS "sizeBytes" FROM media m
  WHERE m.id = $1 AND m.state = 'ready' AND m.removed_at IS NULL`;

/** Records of stored media in PostgreSQL. */
export class PostgresMedia implements MediaStore {
  constructor(private readonly pool: Pool) {}

  storeUpload(upload: NewUpload): Promise<AttachmentRecord> {
    return storeUpload(this.pool, upload, 'The upload');
  }

  async usableUploads(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await readIn<{ id: string }>(this.pool, workspaceId, {
      text: USABLE,
      // A restricted member may use only their own uploads. Others may belong to a conversation that the member does not see.
      values: [workspaceId, ids, currentReader() ?? null],
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
    return (await claimMedia(this.pool, { mediaId: id, leaseSeconds })) ?? undefined;
  }

  finish(task: MediaTask, outcome: MediaOutcome): Promise<boolean> {
    return finishMedia(this.pool, { mediaId: task.id, try: task.tries, facts: outcome });
  }

  postpone(task: MediaTask, waitSeconds: number, counted: boolean): Promise<void> {
    return postponeMedia(this.pool, { mediaId: task.id, try: task.tries, waitSeconds, counted });
  }

  wakeStalled(): Promise<void> {
    return wakeStalledMedia(this.pool);
  }

  expire(batchSize: number): Promise<readonly string[]> {
    return expireMedia(this.pool, batchSize);
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
