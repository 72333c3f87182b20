const UNSEEN = /[\s\p{Cf}]/u;

/** A cell without leading and trailing blanks and invisible format characters. */
export function bareCell(cell: string): string {
  let start = 0;
  let end = cell.length;
  while (start < end && UNSEEN.test(cell.charAt(start))) start += 1;
  while (end > start && UNSEEN.test(cell.charAt(end - 1))) end -= 1;
  return cell.slice(start, end);
}

/** Whether all cells are empty. Spreadsheets write deleted and formatted empty rows as delimiters only. */
export function isEmptyRow(record: readonly string[]): boolean {
  return record.every((cell) => bareCell(cell) === '');
}
