import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { csvProblem } from './csv-problem.js';

/** Opens the file. Each call starts at the beginning. */
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
 * The parser turns a chunk into rows without yielding. 64 KiB of rows with one letter block the main thread for 100 ms,
 * 4 KiB for 5 ms. Small chunks also take less time in total.
 */
const SLICE_BYTES = 4_096;
const [LINE_FEED, CARRIAGE_RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

/** Raises `invalid_request` for bytes that are not UTF-8 text. Called before any row is read. */
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

/** The rows of a CSV file, read on demand. Raises `invalid_request` with the line number of an invalid row. */
export async function* rowsOf(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter = ',', maxRowBytes }: CsvFormat,
): AsyncGenerator<CsvRow> {
  const source = Readable.from(slicesOf(checkedCells(bytes, delimiter)), { objectMode: false });
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
      // Spreadsheets end rows with empty cells. The number of cells is compared with the header later.
      relax_column_count: true,
      max_record_size: maxRowBytes,
      // Otherwise the parser would use the line end of the first row, and leave parts of other line ends in the last cells.
      record_delimiter: ['\r\n', '\n', '\r'],
    }),
  );
  // A pipe does not forward errors, so the reader would wait forever.
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

/** Maximum number of columns in common spreadsheet programs. */
const MAX_CELLS = 16_384;

/**
 * Passes the bytes through. Raises `invalid_request` for a row with too many cells. The parser limits the bytes of
 * cells but does not count delimiters, so a row of empty cells could grow without a limit.
 */
async function* checkedCells(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<Uint8Array> {
  const between = delimiter.charCodeAt(0);
  let [cells, line] = [1, 1];
  let [isQuoted, afterReturn] = [false, false];
  for await (const piece of bytes) {
    for (const byte of piece) {
      const isBreak = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      if (isBreak && !(byte === LINE_FEED && afterReturn)) line += 1;
      afterReturn = byte === CARRIAGE_RETURN;
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (isBreak) cells = 1;
      else if (byte === between) cells += 1;
      if (cells > MAX_CELLS) throw csvProblem('too_many', `Line ${line} has more than ${MAX_CELLS} cells.`);
    }
    yield piece;
  }
}

async function* slicesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
}
