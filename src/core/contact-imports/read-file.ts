import { bareCell, isEmptyRow } from '../csv/cells.js';
import { csvProblem } from '../csv/csv-problem.js';
import { delimiterOf } from '../csv/delimiter.js';
import { type CsvFile, requireText, rowsOf } from '../csv/read-csv.js';
import { unguarded } from '../csv/write-csv.js';
import { codePointLength } from '../schema/scalars.js';
import { MAX_COLUMNS } from './bodies.js';
import type { ImportRow } from './ports.js';

const MAX_ROWS = 50_000;
const MAX_CELL_LENGTH = 4_096;
const MAX_ROW_BYTES = 65_536;
const BATCH_ROWS = 500;

/** A file that has been read up to and including its header. */
export interface OpenedFile {
  readonly header: readonly string[];
  readonly batches: AsyncGenerator<readonly ImportRow[]>;
}

/**
 * Reads a CSV file in UTF-8 with commas, semicolons or tabs. Raises `invalid_request` for `file` with the line number,
 * also later while batches are read. A row with too many cells keeps one extra cell, so that the problem is detected
 * later.
 */
export async function openFile(file: CsvFile): Promise<OpenedFile> {
  await requireText(file());
  const delimiter = await delimiterOf(file);
  const rows = rowsOf(file(), { delimiter, maxRowBytes: MAX_ROW_BYTES });
  for (;;) {
    const { value, done } = await rows.next();
    if (done === true) throw csvProblem('required', 'Expected a first line with the names of the columns.');
    if (isEmptyRow(value.record)) continue;
    const header = headerOf(value.record);
    return { header, batches: batchesOf(rows, header.length) };
  }
}

function headerOf(record: readonly string[]): string[] {
  const names = record.map((cell) => bareCell(unguarded(cell)));
  while (names.at(-1) === '') names.pop();
  if (names.length > MAX_COLUMNS)
    throw csvProblem('too_many', `Expected at most ${MAX_COLUMNS} columns, found ${names.length}.`);
  names.forEach((name) => {
    if (codePointLength(name) > 256)
      throw csvProblem('too_long', 'Line 1: expected names of columns with at most 256 characters.');
  });
  return names;
}

async function* batchesOf(
  rows: ReturnType<typeof rowsOf>,
  columns: number,
): AsyncGenerator<readonly ImportRow[]> {
  let batch: ImportRow[] = [];
  let number = 0;
  for await (const { record, info } of rows) {
    if (isEmptyRow(record)) continue;
    number += 1;
    if (number > MAX_ROWS)
      throw csvProblem('too_many', `Expected at most ${MAX_ROWS} rows. Split the file into several.`);
    batch.push({ number, line: info.lines, cells: cellsOf(record, columns, info.lines) });
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (number === 0) throw csvProblem('required', 'Expected at least one row below the names of the columns.');
  if (batch.length > 0) yield batch;
}

function cellsOf(record: readonly string[], columns: number, line: number): string[] {
  const cells = record.map((cell) => bareCell(unguarded(cell)));
  while (cells.length > columns && cells.at(-1) === '') cells.pop();
  if (cells.some((cell) => codePointLength(cell) > MAX_CELL_LENGTH))
    throw csvProblem('too_long', `Line ${line}: expected cells of at most ${MAX_CELL_LENGTH} characters.`);
  return cells.slice(0, columns + 1);
}
