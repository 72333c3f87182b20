import type { ChainFault, ChainReport } from '../../core/audit/chain.js';

/** Prints the result for each workspace. Returns the exit code. */
export function printVerification(reports: readonly ChainReport[], unchained: readonly string[]): number {
  for (const { workspaceId, rows, head, fault } of reports) {
    const count = `${rows} ${rows === 1 ? 'row' : 'rows'}`;
    const result = fault === undefined ? 'intact' : `BROKEN: ${sentenceOf(fault)}`;
    const last = head && `. Head: ${workspaceId}:${head.number}:${head.hash}`;
    process.stdout.write(`Workspace ${workspaceId}: ${count}, ${result}${last ?? ''}\n`);
  }
  const [first] = unchained;
  if (first !== undefined)
    process.stdout.write(`BROKEN: ${unchained.length} inserted, in no chain. The first one is ${first}\n`);
  const isBroken = unchained.length > 0 || reports.some(({ fault }) => fault !== undefined);
  if (!isBroken && reports.length === 0) process.stdout.write('The audit log has no rows.\n');
  return isBroken ? 1 : 0;
}

function sentenceOf({ kind, number, until = number, rowId }: ChainFault): string {
  const row = `row ${number}${rowId === undefined ? '' : ` (${rowId})`}`;
  switch (kind) {
    case 'missing':
      return until > number ? `rows ${number} to ${until} are missing` : `${row} is missing`;
    case 'changed':
      return `${row} was changed`;
    case 'inserted':
      return `${row} was inserted: its number is there twice`;
    case 'unlinked':
      return `${row} does not follow row ${number - 1}: one of them was replaced`;
    case 'replaced':
      return `${row} is not the expected one: it or a row before it was replaced`;
  }
}
