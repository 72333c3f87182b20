import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type ChainLink, type HashedRow, linkOf } from '../../core/audit/chain.js';
import { auditRecord } from '../../core/audit/record.js';
import { AppError } from '../../core/common/errors.js';
import { rowsOf } from '../../core/csv/read-csv.js';
import { unguarded } from '../../core/csv/write-csv.js';
import { UsageError } from '../usage-error.js';

/** Maximum number of rows. They are sorted in memory and take about 500 bytes each. */
const MAX_ROWS = 2_000_000;
const MAX_ROW_BYTES = 65_536;

/** A row of an export. A row without a link is in no chain. */
export interface ExportedRow {
  readonly rowId: string;
  readonly link: ChainLink | undefined;
}

/** The fields of an export that the verification needs. */
const PART = auditRecord.pick({
  id: true,
  action: true,
  object: true,
  address: true,
  created_at: true,
  chain: true,
});
const ROW = PART.extend({ actor: auditRecord.shape.actor.pick({ type: true, id: true }) });

/** Reads the rows of an export: JSON Lines of "trunkline audit export", or CSV of the dashboard. */
export async function readAuditExport(path: string): Promise<ExportedRow[]> {
  const rows: ExportedRow[] = [];
  try {
    const isJson = (await firstByte(path)) === 0x7b;
    for await (const values of isJson ? jsonRows(path) : csvRows(path)) {
      if (rows.length >= MAX_ROWS) throw new UsageError(`The export has more than ${MAX_ROWS} rows.`);
      const row = ROW.safeParse(values);
      if (!row.success)
        throw new UsageError(`Row ${rows.length + 1} is not a row of an audit log with its hashes.`);
      rows.push(exportedRow(row.data));
    }
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(`${path}: ${error.message}`);
    if (error instanceof Error && 'syscall' in error)
      throw new UsageError(`The file cannot be read: ${error.message}`);
    throw error;
  }
  return rows;
}

function exportedRow({
  chain,
  ...row
}: HashedRow & { chain: Parameters<typeof linkOf>[1] | null }): ExportedRow {
  return { rowId: row.id, link: chain === null ? undefined : linkOf(row, chain) };
}

async function firstByte(path: string): Promise<number | undefined> {
  for await (const piece of createReadStream(path, { end: 0 })) return (piece as Buffer)[0];
  return undefined;
}

async function* jsonRows(path: string): AsyncGenerator<unknown> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line.trim() !== '') yield parsed(line);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* csvRows(path: string): AsyncGenerator<unknown> {
  let header: readonly string[] | undefined;
  for await (const { record } of rowsOf(createReadStream(path), { maxRowBytes: MAX_ROW_BYTES })) {
    if (header === undefined) header = record;
    else yield csvRow(new Map(header.map((name, at) => [name, unguarded(record[at] ?? '')])));
  }
}

/** Converts a row of a CSV file. An empty cell is null. */
function csvRow(cells: ReadonlyMap<string, string>): unknown {
  const cell = (name: string) => cells.get(name) || null;
  const number = cell('number');
  return {
    id: cell('id'),
    created_at: cell('time'),
    actor: { type: cell('actor_type'), id: cell('actor_id') },
    action: cell('action'),
    object: { type: cell('object_type'), id: cell('object_id') },
    address: cell('address'),
    chain:
      number === null
        ? null
        : {
            workspace_id: cell('workspace_id'),
            number: Number(number),
            previous_hash: cell('previous_hash'),
            hash: cell('hash'),
          },
  };
}
