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
