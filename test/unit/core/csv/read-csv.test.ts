import { expect, it } from 'vitest';
import { rowsOf } from '../../../../src/core/csv/read-csv.js';

const NAME = '日本語 😀 é "quoted", and so on';

it('Cells of a CSV file are whole wherever its bytes are divided', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `${'x'.repeat(at % 7)}${NAME}`);
  const file = Buffer.from(
    names.map((name) => `"${name.replaceAll('"', '""')}",${name.length}\r\n`).join(''),
  );
  async function* pieces() {
    yield file.subarray(0, 10_001);
    yield file.subarray(10_001);
  }
  const found: unknown[] = [];
  for await (const { record } of rowsOf(pieces(), { maxRowBytes: 1_024 })) found.push(record);
  expect(found).toEqual(names.map((name) => [name, String(name.length)]));
});

it('A reader of a CSV file that stops early reads no more pieces', async () => {
  let pieces = 0;
  async function* endless() {
    for (;;) {
      pieces += 1;
      yield Buffer.from('a,b\n'.repeat(16_384));
    }
  }
  for await (const { record } of rowsOf(endless(), { maxRowBytes: 1_024 })) {
    expect(record).toEqual(['a', 'b']);
    break;
  }
  expect(pieces).toBeLessThanOrEqual(2);
});

async function recordsOf(...pieces: readonly string[]): Promise<number[]> {
  async function* bytes() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const found: number[] = [];
  for await (const { record } of rowsOf(bytes(), { maxRowBytes: 16_384 })) found.push(record.length);
  return found;
}

it.each([
  ['of empty cells', ['a,b\r\n', ','.repeat(10_000), ','.repeat(10_000)], 2],
  ['of empty cells after a cell with line breaks', ['a\r\r"x\n,,\n"', ','.repeat(20_000)], 5],
  ['that never ends', ['a\n', ...Array.from({ length: 400 }, () => ','.repeat(65_536))], 2],
])('A row %s is refused with its line before it is read to its end', async (_, pieces, line) => {
  await expect(recordsOf(...pieces)).rejects.toMatchObject({
    code: 'invalid_request',
    details: { fields: [{ code: 'too_many', message: `Line ${line} has more than 16384 cells.` }] },
  });
});

it('A row may have as many cells as a spreadsheet has columns, and delimiters in quotes do not split cells', async () => {
  const quoted = `"${',\r\n'.repeat(4_000)}""${','.repeat(4_000)}"`;
  expect(await recordsOf(`${','.repeat(16_383)}\r\n`, `${quoted},b\r`, ','.repeat(16_383))).toEqual([
    16_384, 2, 16_384,
  ]);
});
