import { isEmptyRow } from '../csv/cells.js';
import { csvProblem } from '../csv/csv-problem.js';
import { type CsvFile, requireText, rowsOf } from '../csv/read-csv.js';
import type { Addresses } from '../platforms/addresses.js';
import { type Columns, readHeader } from './list-columns.js';
import { readRow } from './list-row.js';
import type { ListedMember } from './ports.js';

const BATCH_ROWS = 5_000;
const MAX_ROWS = 1_000_000;
/** In UTF-16 units. Limits the size of a batch with long rows. */
const BATCH_LENGTH = 1_048_576;
/** A row contains an address and variables of at most 4,096 bytes. Quotes may double their size. */
const MAX_ROW_BYTES = 16_384;

/**
 * Reads the members of a CSV file in batches, on demand. The header is `user_id` or `platform,address`. `display_name`, `locale`
 * and `timezone` apply to contacts that have none. Further columns are variables. Empty cells are ignored, and empty rows are
 * skipped. Raises `invalid_request` for `file`, with the line number.
 */
export async function* readMembers(
  file: CsvFile,
  addresses: Addresses,
): AsyncGenerator<readonly ListedMember[]> {
  await requireText(file());
  let columns: Columns | undefined;
  let batch: ListedMember[] = [];
  let [rows, length] = [0, 0];
  for await (const { record, info } of rowsOf(file(), { maxRowBytes: MAX_ROW_BYTES })) {
    if (isEmptyRow(record)) continue;
    if (columns === undefined) {
      columns = readHeader(record);
      continue;
    }
    rows += 1;
    if (rows > MAX_ROWS) throw csvProblem('too_many', `Expected at most ${MAX_ROWS} rows.`);
    batch.push(readRow(record, columns, info.lines, addresses));
    length += record.reduce((sum, cell) => sum + cell.length, 0);
    if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (columns === undefined) throw csvProblem('required', 'Expected a header: user_id, or platform,address.');
  if (batch.length > 0) yield batch;
}
