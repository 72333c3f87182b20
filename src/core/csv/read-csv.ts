import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { csvProblem } from './csv-problem.js';

/** Opens the file, from its beginning each time. */
export type CsvFile = () => AsyncIterable<Uint8Array>;

export interface CsvRow {
  readonly record: readonly string[];
  readonly info: Pick<Info, 'lines'>;
}

export interface CsvFormat {
  readonly delimiter?: string;
  readonly maxRowBytes: number;
}

/**
 * The parser turns a piece into rows without a pause: 64 KiB of rows of one letter hold the main thread for 100 ms, 4 KiB for 5 ms,
 * and a file takes less time in all.
 */
const SLICE_BYTES = 4_096;

/** Raises `invalid_request` for bytes that are not UTF-8 text, before any row is read. */
export async function requireText(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of bytes) {
      if (piece.includes(0)) throw new TypeError('The text contains U+0000.');
      decoder.decode(piece, { stream: true });
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw csvProblem('malformed', 'Expected UTF-8 text without U+0000. Save the table as CSV UTF-8.');
  }
}

/** The rows of a CSV file, as they are asked for. Raises `invalid_request` with the line that is no row. */
export async function* rowsOf(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter = ',', maxRowBytes }: CsvFormat,
): AsyncGenerator<CsvRow> {
  const source = Readable.from(slicesOf(bytes), { objectMode: false });
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
      // Spreadsheets end rows with empty cells. Whether a row has too many or too few is checked with its header.
      relax_column_count: true,
      max_record_size: maxRowBytes,
      // Found by itself it is that of the first line, and others keep what is left of theirs in their last cell.
      record_delimiter: ['\r\n', '\n', '\r'],
    }),
  );
  // A pipe passes no error on: the reader would wait for ever.
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of parser) yield row as CsvRow;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as { lines?: unknown }).lines);
    throw csvProblem('malformed', `Line ${Number.isInteger(line) ? line : '?'} is not a row of the table.`);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

async function* slicesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
}
