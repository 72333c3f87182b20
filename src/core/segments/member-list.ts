import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { type FieldCode, invalidField } from '../errors.js';
import type { ListedMember } from '../ports/segments.js';
import { codePointLength, metadata, platformId, uuid } from '../schema/scalars.js';

const BATCH_ROWS = 5_000;
const MOST_ROWS = 1_000_000;
const PIECE_BYTES = 65_536;
/** A row holds an address and variables of at most 4,096 bytes; quotes may double them. */
const MOST_ROW_BYTES = 16_384;

const OWN_COLUMNS = ['user_id', 'platform', 'address'] as const;

/** Where the columns of a list are. */
interface Columns {
  readonly userId: number;
  readonly platform: number;
  readonly address: number;
  readonly variables: readonly { readonly name: string; readonly at: number }[];
}

interface Row {
  readonly record: readonly string[];
  readonly info: Pick<Info, 'lines'>;
}

/**
 * The members that a CSV file names, in batches, read as they are asked for. The header is `user_id` or
 * `platform,address`; further columns are variables, and an empty cell is none. Raises `invalid_request` for `file`,
 * with the number of the line.
 */
export async function* readMembers(file: Buffer): AsyncGenerator<readonly ListedMember[]> {
  if (!isUtf8(file) || file.includes(0)) throw problem('malformed', 'Expected UTF-8 text without U+0000.');
  let columns: Columns | undefined;
  let batch: ListedMember[] = [];
  let rows = 0;
  for await (const { record, info } of rowsOf(file)) {
    if (columns === undefined) {
      columns = readHeader(record);
      continue;
    }
    rows += 1;
    if (rows > MOST_ROWS) throw problem('too_many', `Expected at most ${MOST_ROWS} rows.`);
    batch.push(readRow(record, columns, info.lines));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (columns === undefined) throw problem('required', 'Expected a header: user_id, or platform,address.');
  if (batch.length > 0) yield batch;
}

async function* rowsOf(file: Buffer): AsyncGenerator<Row> {
  const parser = Readable.from(pieces(file), { objectMode: false }).pipe(
    parse({
      bom: true,
      info: true,
      skip_empty_lines: true,
      max_record_size: MOST_ROW_BYTES,
      // Found by itself it is that of the first line, and others keep what is left of theirs in their last cell.
      record_delimiter: ['\r\n', '\n', '\r'],
    }),
  );
  try {
    for await (const row of parser) yield row as Row;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number((error as { lines?: unknown }).lines);
    throw problem('malformed', `Line ${Number.isInteger(line) ? line : '?'} is not a row of the table.`);
  } finally {
    parser.destroy();
  }
}

function* pieces(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += PIECE_BYTES) yield file.subarray(at, at + PIECE_BYTES);
}

function readHeader(header: readonly string[]): Columns {
  const names = header.map((name) => name.trim());
  const [userId, platform, address] = OWN_COLUMNS.map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const byUser = userId !== -1 && platform === -1 && address === -1;
  const byAddress = userId === -1 && platform !== -1 && address !== -1;
  if (!byUser && !byAddress) {
    throw problem(
      'invalid_value',
      'Line 1: expected the column user_id, or the columns platform and address.',
    );
  }
  if (new Set(names).size < names.length) throw problem('duplicate', 'Line 1: expected each column once.');
  const variables = names.flatMap((name, at) =>
    at === userId || at === platform || at === address ? [] : [{ name, at }],
  );
  const checked = metadata.safeParse(Object.fromEntries(variables.map(({ name }) => [name, ''])));
  if (!checked.success) {
    throw problem('invalid_value', 'Line 1: expected at most 50 variables with names of 1 to 40 characters.');
  }
  return { userId, platform, address, variables };
}

function readRow(record: readonly string[], columns: Columns, line: number): ListedMember {
  const cell = (at: number) => record[at] ?? '';
  const variables = Object.fromEntries(
    columns.variables.flatMap(({ name, at }) => (cell(at) === '' ? [] : [[name, cell(at)]])),
  );
  if (Buffer.byteLength(JSON.stringify(variables)) > 4096) {
    throw problem('too_large', `Line ${line}: expected variables of at most 4,096 bytes.`);
  }
  if (columns.userId !== -1) {
    const userId = uuid.safeParse(cell(columns.userId).trim());
    if (!userId.success) throw problem('invalid_format', `Line ${line}: expected a UUID as user_id.`);
    return { line, userId: userId.data, platform: null, address: null, variables };
  }
  const platform = cell(columns.platform).trim();
  const address = cell(columns.address).trim();
  if (!platformId.safeParse(platform).success) {
    throw problem('invalid_format', `Line ${line}: expected a platform id such as telegram.`);
  }
  if (address === '' || codePointLength(address) > 256) {
    throw problem('invalid_format', `Line ${line}: expected an address of 1 to 256 characters.`);
  }
  return { line, userId: null, platform, address, variables };
}

function problem(code: FieldCode, message: string) {
  return invalidField('file', code, message);
}
