import { isEmptyRow } from '../csv/cells.js';
import { csvProblem } from '../csv/csv-problem.js';
import { type CsvFile, requireText, rowsOf } from '../csv/read-csv.js';
import type { Addresses } from '../platforms/addresses.js';
import { type Columns, readHeader } from './list-columns.js';
import { readRow } from './list-row.js';
import type { ListedMember } from './ports.js';

const BATCH_ROWS = 5_000;
const MAX_ROWS = 1_000_000;
/** In UTF-16 units. Bounds what one batch holds where the rows are long. */
const BATCH_LENGTH = 1_048_576;
/** A row holds an address and variables of at most 4,096 bytes; quotes may double them. */
const MAX_ROW_BYTES = 16_384;

/**
 * The members that a CSV file names, in batches, read as they are asked for. The header is `user_id` or `platform,address`;
 * `display_name`, `locale` and `timezone` are for contacts that have none, and further columns are variables. An empty cell
 * says nothing, and a row of empty cells is passed over. Raises `invalid_request` for `file`, with the number of the line.
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
