import type { Caller } from '../access/caller.js';
import { invalidField, notFound } from '../common/errors.js';
import type { CsvFile } from '../csv/read-csv.js';
import { csvLine } from '../csv/write-csv.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { Addresses } from '../platforms/addresses.js';
import type { ImportMappingBody } from './bodies.js';
import type { ContactImportStore, StoredRow } from './ports.js';
import { openFile } from './read-file.js';
import { RowReader } from './read-row.js';
import type {
  ContactImportRecord,
  ContactImportRowRecord,
  ImportMapping,
  ImportPreviewRecord,
} from './record.js';

/** Number of rows per page when all rows are read. */
const PAGE = 1_000;
/** Maximum number of invalid rows in a preview. */
const SHOWN = 20;
const MAX_NAME_LENGTH = 256;
/** Byte order mark, which makes spreadsheets read the file as UTF-8. */
const MARK = '\uFEFF';

/** Imports of contacts. Used by members. */
export class ManageContactImports {
  constructor(
    private readonly store: ContactImportStore,
    private readonly addresses: Addresses,
  ) {}

  /** Stores the rows of a CSV file without importing them. Raises `invalid_request` with the line number of the problem. */
  async upload(
    caller: Caller,
    file: { readonly name: string | undefined; readonly open: CsvFile },
    id: string,
  ): Promise<ContactImportRecord> {
    const { header, batches } = await openFile(file.open);
    const owner = { id, workspace_id: caller.workspaceId, created_by: caller.userId };
    const name = [...(file.name ?? '')].slice(0, MAX_NAME_LENGTH).join('') || 'contacts.csv';
    return this.store.create({ ...owner, file_name: name, header }, batches);
  }

  /** Raises `not_found`. */
  async get(caller: Caller, id: string): Promise<ContactImportRecord> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The import');
    return found;
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<ContactImportRecord>> {
    return this.store.list(caller.workspaceId, query);
  }

  /** Raises `not_found`. */
  async rows(caller: Caller, id: string, query: ListQuery): Promise<ListPage<ContactImportRowRecord>> {
    await this.get(caller, id);
    return this.store.listRows(caller.workspaceId, id, query);
  }

  /** The problems of the rows with a mapping. Raises `not_found`, `invalid_request`. */
  async preview(caller: Caller, id: string, body: ImportMappingBody): Promise<ImportPreviewRecord> {
    const reader = new RowReader(await this.#mappingOf(caller, id, body), this.addresses.of('live'));
    const problems: { line: number; cells: string[]; problems: StoredRow['problems'][number][] }[] = [];
    let [rows, wrong] = [0, 0];
    for await (const { number, line, cells } of this.#everyRow(caller, id, 'all')) {
      rows += 1;
      const entry = reader.read({ number, cells: cells ?? [] });
      if (!('problems' in entry)) continue;
      wrong += 1;
      if (problems.length < SHOWN)
        problems.push({ line, cells: [...(cells ?? [])], problems: [...entry.problems] });
    }
    return { rows, wrong, problems };
  }

  /** Starts a job that imports the rows. Raises `not_found`, `invalid_request`, `conflict` (`invalid_state`). */
  async start(caller: Caller, id: string, body: ImportMappingBody): Promise<ContactImportRecord> {
    const mapping = await this.#mappingOf(caller, id, body);
    return this.store.start(caller.workspaceId, id, caller.userId, mapping);
  }

  /** Starts a job that removes the contacts that the import created. Raises `not_found`, `conflict` (`invalid_state`). */
  undo(caller: Caller, id: string): Promise<ContactImportRecord> {
    return this.store.undo(caller.workspaceId, id, caller.userId);
  }

  /** Deletes an import and its rows. Its contacts are kept. Raises `not_found`, `conflict` (`invalid_state`). */
  delete(caller: Caller, id: string): Promise<void> {
    return this.store.delete(caller.workspaceId, id);
  }

  /** The failed rows as CSV, with the problems in an additional last column. Raises `not_found` before the first line. */
  async *failedRows(caller: Caller, id: string): AsyncGenerator<string> {
    const { header } = await this.get(caller, id);
    yield MARK + csvLine([...header, 'import_problem']);
    for await (const { cells, problems } of this.#everyRow(caller, id, 'failed')) {
      const own = header.map((_, at) => cells?.[at] ?? '');
      yield csvLine([
        ...own,
        problems.map(({ field, code }) => [field, code].filter(Boolean).join(': ')).join('; '),
      ]);
    }
  }

  async *#everyRow(caller: Caller, id: string, which: 'all' | 'failed'): AsyncGenerator<StoredRow> {
    for (let number = 0; ; ) {
      const rows = await this.store.rowsAfter(caller.workspaceId, id, number, PAGE, which);
      yield* rows;
      if (rows.length < PAGE) return;
      number = rows.at(-1)?.number ?? number;
    }
  }

  /** Raises `not_found`, and `invalid_request` if the number of columns differs from that of the file. */
  async #mappingOf(caller: Caller, id: string, body: ImportMappingBody): Promise<ImportMapping> {
    const { header } = await this.get(caller, id);
    const { columns, match_by: by, existing } = body;
    if (columns.length !== header.length) {
      throw invalidField('columns', 'invalid_value', `Expected ${header.length} columns, as the file has.`);
    }
    return { columns, match_by: by ?? null, existing };
  }
}
