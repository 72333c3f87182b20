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
const [LINE_FEED, CARRIAGE_RETURN, QUOTE] = [0x0a, 0x0d, 0x22];

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
  const source = Readable.from(slicesOf(checkedCells(bytes, delimiter)), { objectMode: false });
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
      // Spreadsheets end rows with empty cells. Whether a row has too many or too few is checked with its header.
      relax_column_count: true,
      max_record_size: maxRowBytes,
      // The parser would otherwise use the line end of the first row, and leave parts of other line ends in the last cells.
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

/** Columns of the largest spreadsheets. */
const MAX_CELLS = 16_384;

/**
 * The same bytes. Raises `invalid_request` for a row of too many cells: the parser counts the bytes of cells, not of what
 * divides them, so that a row of empty cells would grow with the file.
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
