import type { z } from 'zod';
import { bareCell } from '../csv/cells.js';
import { csvProblem } from '../csv/csv-problem.js';
import { type Addresses, isProblem } from '../platforms/addresses.js';
import { locale, platformId, text, timezone, uuid } from '../schema/scalars.js';
import type { Columns } from './list-columns.js';
import type { ListedMember } from './ports.js';

const displayName = text(1, 128);

/** Raises `invalid_request` with the line number. */
export function readRow(
  record: readonly string[],
  columns: Columns,
  line: number,
  addresses: Addresses,
): ListedMember {
  checkWidth(record, columns, line);
  const { own } = columns;
  const cell = (at: number) => bareCell(record[at] ?? '');
  const about = {
    line,
    variables: variablesOf(record, columns, line),
    displayName: optional(displayName, cell(own.display_name), line, 'a display_name of 1 to 128 characters'),
    locale: optional(locale, cell(own.locale), line, 'a BCP 47 tag such as de-DE as locale'),
    timezone: optional(
      timezone,
      cell(own.timezone),
      line,
      'an IANA zone name such as Europe/Berlin as timezone',
    ),
  };
  if (own.user_id !== -1) {
    const userId = uuid.safeParse(cell(own.user_id));
    if (!userId.success) throw csvProblem('invalid_format', `Line ${line}: expected a UUID as user_id.`);
    return { ...about, userId: userId.data, platform: null, address: null };
  }
  return { ...about, userId: null, ...addressOf(cell(own.platform), cell(own.address), line, addresses) };
}

/** A row must have a cell for each column. Cells without a column name must be empty. */
function checkWidth(record: readonly string[], { count, unnamed }: Columns, line: number): void {
  if (record.length < count) throw csvProblem('malformed', `Line ${line} is not a row of the table.`);
  const nameless = [...unnamed, ...Array.from({ length: record.length - count }, (_, at) => count + at)];
  if (nameless.some((at) => bareCell(record[at] ?? '') !== '')) {
    throw csvProblem('malformed', `Line ${line} has a cell in a column without a name.`);
  }
}

function variablesOf(record: readonly string[], { variables }: Columns, line: number) {
  const filled = variables.filter(({ at }) => record[at] !== '');
  const values = Object.fromEntries(filled.map(({ name, at }) => [name, record[at] ?? '']));
  if (Buffer.byteLength(JSON.stringify(values)) > 4096) {
    throw csvProblem('too_large', `Line ${line}: expected variables of at most 4,096 bytes.`);
  }
  return values;
}

function optional(schema: z.ZodType<string>, value: string, line: number, expected: string): string | null {
  if (value === '') return null;
  const read = schema.safeParse(value);
  if (!read.success) throw csvProblem('invalid_format', `Line ${line}: expected ${expected}.`);
  return read.data;
}

function addressOf(platform: string, sent: string, line: number, addresses: Addresses) {
  if (!platformId.safeParse(platform).success) {
    throw csvProblem('invalid_format', `Line ${line}: expected a platform id such as telegram.`);
  }
  const found = addresses.read(platform, sent);
  if (isProblem(found)) throw csvProblem(found.code, `Line ${line}: ${found.about} ${found.message}.`);
  return found;
}
