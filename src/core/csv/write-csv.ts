import { stringify } from 'csv-stringify/sync';

/** Cells that a spreadsheet would execute as a formula, except numbers and phone numbers. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-][\d ().,/-]*$/;
const GUARDED = /^'[=+\-@\t\r]/;

/** Cells with blanks at an end or with line breaks are quoted in addition to those with delimiters and quotes. */
const FORMAT = { record_delimiter: '\r\n', quoted_match: /^\s|\s$|[\r\n]/ };

/** A line of CSV (RFC 4180). Cells that a spreadsheet would execute as a formula are prefixed with an apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return stringify([cells.map((cell) => guarded(cell ?? ''))], FORMAT);
}

/** The cell without the apostrophe that {@link csvLine} puts before formulas. */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

function guarded(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}
