import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import type { Addresses } from '../platforms/addresses.js';
import type { ListedMember } from '../ports/segments.js';
import { type Columns, readHeader } from './list-columns.js';
import { listProblem } from './list-problem.js';
import { isEmptyRow, readRow } from './list-row.js';

const BATCH_ROWS = 5_000;
const MOST_ROWS = 1_000_000;
const PIECE_BYTES = 65_536;
/** A row holds an address and variables of at most 4,096 bytes; quotes may double them. */
const MOST_ROW_BYTES = 16_384;

interface Row {
  readonly record: readonly string[];
  readonly info: Pick<Info, 'lines'>;
}

/**
 * The members that a CSV file names, in batches, read as they are asked for. The header is `user_id` or `platform,address`;
 * `display_name`, `locale` and `timezone` are for contacts that have none, and further columns are variables. An empty cell
 * says nothing, and a row of empty cells is passed over. Raises `invalid_request` for `file`, with the number of the line.
 */
export async function* readMembers(
  file: Buffer,
  addresses: Addresses,
): AsyncGenerator<readonly ListedMember[]> {
  if (!isUtf8(file) || file.includes(0)) {
    throw listProblem('malformed', 'Expected UTF-8 text without U+0000.');
  }
  let columns: Columns | undefined;
  let batch: ListedMember[] = [];
  let rows = 0;
  for await (const { record, info } of rowsOf(file)) {
    if (isEmptyRow(record)) continue;
    if (columns === undefined) {
      columns = readHeader(record);
      continue;
    }
    rows += 1;
    if (rows > MOST_ROWS) throw listProblem('too_many', `Expected at most ${MOST_ROWS} rows.`);
    batch.push(readRow(record, columns, info.lines, addresses));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (columns === undefined)
    throw listProblem('required', 'Expected a header: user_id, or platform,address.');
  if (batch.length > 0) yield batch;
}

async function* rowsOf(file: Buffer): AsyncGenerator<Row> {
  const parser = Readable.from(pieces(file), { objectMode: false }).pipe(
    parse({
      bom: true,
      info: true,
      skip_empty_lines: true,
      // Spreadsheets end rows with empty cells. Whether a row has too many or too few is checked with its header.
      relax_column_count: true,
      max_record_size: MOST_ROW_BYTES,
      // Found by itself it is that of the first line, and others keep what is left of theirs in their last cell.
      record_delimiter: ['\r\n', '\n', '\r'],
    }),
  );
  try {
    for await (const row of parser) yield row as Row;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as { lines?: unknown }).lines);
    throw listProblem('malformed', `Line ${Number.isInteger(line) ? line : '?'} is not a row of the table.`);
  } finally {
    parser.destroy();
  }
}

function* pieces(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += PIECE_BYTES) yield file.subarray(at, at + PIECE_BYTES);
}
