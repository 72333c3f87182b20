/** Cells that a spreadsheet would execute as a formula, except numbers and phone numbers. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-][\d ().,/-]*$/;
const GUARDED = /^'[=+\-@\t\r]/;

/** A line of CSV (RFC 4180). Cells that a spreadsheet would execute as a formula are prefixed with an apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(guarded(cell ?? ''))).join(',')}\r\n`;
}

/** The cell without the apostrophe that {@link csvLine} puts before formulas. */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

function guarded(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
