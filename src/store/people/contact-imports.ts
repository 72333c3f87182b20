import type { Pool } from 'pg';
import type {
  ClaimedImport,
  ContactImportStore,
  ContactImportWork,
  ImportEntry,
  ImportRow,
  NewContactImport,
  StoredRow,
} from '../../core/contact-imports/ports.js';
import {
  type ContactImportRecord,
  type ContactImportRowRecord,
  type ContactImportStatus,
  contactImportList,
  contactImportRowList,
  type ImportMapping,
} from '../../core/contact-imports/record.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  addImportRows,
  applyImportRows,
  claimContactImport,
  contactImportRecordSql,
  contactImportRowRecordSql,
  createContactImport,
  deleteContactImport,
  purgeContactImports,
  releaseContactImport,
  startContactImport,
  undoContactImport,
  undoImportRows,
  wakeContactImports,
} from '../calls.gen.js';
import { purgeInBatches } from '../connection/batches.js';
import { translateRefusal } from '../connection/refusals.js';
import { inTransaction } from '../connection/transaction.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The import';

const importSource: ListSource = {
  table: 'contact_imports',
  record: contactImportRecordSql('contact_imports'),
  fields: { id: 'id', created_at: 'created_at', status: 'status' },
};

const rowSource: ListSource = {
  table: 'contact_import_rows',
  record: contactImportRowRecordSql('contact_import_rows'),
  fields: { id: 'id', line: 'line', result: 'result', undo: 'undo' },
};

const FAILED = `AND result = 'failed'`;

/** Imports of contacts in PostgreSQL. */
export class PostgresContactImports implements ContactImportStore, ContactImportWork {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, id: string): Promise<ContactImportRecord | undefined> {
    const { rows } = await readIn<{ record: ContactImportRecord }>(this.pool, workspaceId, {
      text: `SELECT ${contactImportRecordSql('i')} AS record FROM contact_imports i
        WHERE id = $1 AND workspace_id = $2`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<ContactImportRecord>> {
    return listRecords(this.pool, importSource, contactImportList, workspaceId, query);
  }

  listRows(workspaceId: string, id: string, query: ListQuery): Promise<ListPage<ContactImportRowRecord>> {
    const own = { sql: 'import_id = $1::uuid', values: [id] };
    return listRecords(this.pool, rowSource, contactImportRowList, workspaceId, query, [own]);
  }

  async rowsAfter(
    workspaceId: string,
    id: string,
    number: number,
    limit: number,
    which: 'all' | 'failed',
  ): Promise<readonly StoredRow[]> {
    const { rows } = await readIn<StoredRow>(this.pool, workspaceId, {
      text: `SELECT number, line, cells, problems FROM contact_import_rows
        WHERE import_id = $1 AND workspace_id = $2 AND number > $3 ${which === 'failed' ? FAILED : ''}
        ORDER BY number LIMIT $4`,
      values: [id, workspaceId, number, limit],
    });
    return rows;
  }

  async create(
    upload: NewContactImport,
    batches: AsyncIterable<readonly ImportRow[]>,
  ): Promise<ContactImportRecord> {
    return inTransaction(this.pool, async (client) => {
      await createContactImport(client, upload);
      for await (const rows of batches) await addImportRows(client, { import: upload.id, added: rows });
      const { rows } = await client.query<{ record: ContactImportRecord }>(
        `SELECT ${contactImportRecordSql('i')} AS record FROM contact_imports i WHERE id = $1`,
        [upload.id],
      );
      return (rows[0] as { record: ContactImportRecord }).record;
    }).catch((error: unknown) => translateRefusal(error, 'The workspace'));
  }

  async start(
    workspaceId: string,
    id: string,
    memberId: string,
    mapping: ImportMapping,
  ): Promise<ContactImportRecord> {
    const input = { workspace_id: workspaceId, id, started_by: memberId, mapping };
    return (await startContactImport(this.pool, input, WHAT)).record;
  }

  async undo(workspaceId: string, id: string, memberId: string): Promise<ContactImportRecord> {
    const input = { workspace_id: workspaceId, id, undone_by: memberId };
    return (await undoContactImport(this.pool, input, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await deleteContactImport(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }

  async claim(id: string): Promise<ClaimedImport | undefined> {
    return (await claimContactImport(this.pool, id)) ?? undefined;
  }

  release(id: string): Promise<void> {
    return releaseContactImport(this.pool, id);
  }

  async nextRows(id: string, limit: number): Promise<readonly ImportRow[]> {
    const { rows } = await this.pool.query<ImportRow>(
      `SELECT number, line, cells FROM contact_import_rows WHERE import_id = $1 AND result IS NULL
       ORDER BY number LIMIT $2`,
      [id, limit],
    );
    return rows;
  }

  apply(id: string, entries: readonly ImportEntry[]): Promise<ContactImportStatus | null> {
    return applyImportRows(this.pool, { import: id, entries });
  }

  undoRows(id: string, batchSize: number): Promise<ContactImportStatus | null> {
    return undoImportRows(this.pool, { import: id, batchSize });
  }

  async sweep(): Promise<void> {
    await wakeContactImports(this.pool);
    await purgeInBatches((batchSize) => purgeContactImports(this.pool, batchSize));
  }
}
