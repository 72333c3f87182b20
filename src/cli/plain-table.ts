import Table from 'cli-table3';

/** A table without colors: they would be escape sequences in a file or another program. */
export function plainTable(head: string[]) {
  return new Table({ head, style: { head: [], border: [] } });
}
