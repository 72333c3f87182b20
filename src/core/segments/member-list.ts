import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import type { Addresses } from '../platforms/addresses.js';
import type { ListedMember } from '../ports/segments.js';
import { type Columns, readHeader } from './list-columns.js';
import { listProblem } from './list-problem.js';
import { isEmptyRow, readRow } from './list-row.js';

const BATCH_ROWS = 5_000;
const MOST_ROWS = 1_000_000;
/** In UTF-16 units. Bounds what one batch holds where the rows are long. */
const BATCH_LENGTH = 1_048_576;
/** A row holds an address and variables of at most 4,096 bytes; quotes may double them. */
const MOST_ROW_BYTES = 16_384;

/** Opens the file, from its beginning each time. */
export type ListFile = () => AsyncIterable<Uint8Array>;

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
  file: ListFile,
  addresses: Addresses,
): AsyncGenerator<readonly ListedMember[]> {
  await requireText(file());
  let columns: Columns | undefined;
  let batch: ListedMember[] = [];
  let [rows, length] = [0, 0];
  for await (const { record, info } of rowsOf(file())) {
    if (isEmptyRow(record)) continue;
    if (columns === undefined) {
      columns = readHeader(record);
      continue;
    }
    rows += 1;
    if (rows > MOST_ROWS) throw listProblem('too_many', `Expected at most ${MOST_ROWS} rows.`);
    batch.push(readRow(record, columns, info.lines, addresses));
    length += record.reduce((sum, cell) => sum + cell.length, 0);
    if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (columns === undefined)
    throw listProblem('required', 'Expected a header: user_id, or platform,address.');
  if (batch.length > 0) yield batch;
}

/** Raises `invalid_request` for bytes that are no text, before any row is read. */
async function requireText(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of bytes) {
      if (piece.includes(0)) throw new TypeError('The text holds U+0000.');
      decoder.decode(piece, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw listProblem('malformed', 'Expected UTF-8 text without U+0000.');
  }
}

async function* rowsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const source = Readable.from(bytes, { objectMode: false });
  const parser = source.pipe(
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
  // A pipe passes no error on: the reader would wait for ever.
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of parser) yield row as Row;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as { lines?: unknown }).lines);
    throw listProblem('malformed', `Line ${Number.isInteger(line) ? line : '?'} is not a row of the table.`);
  } finally {
    source.destroy();
    parser.destroy();
  }
}
