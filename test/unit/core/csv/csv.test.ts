import { describe, expect, it } from 'vitest';
import { delimiterOf } from '../../../../src/core/csv/delimiter.js';
import { csvLine, unguarded } from '../../../../src/core/csv/write-csv.js';

const fileOf = (text: string) =>
  async function* () {
    for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
  };

describe('the delimiter of a CSV file', () => {
  it.each([
    ['Name,Mail\n', ','],
    ['Name;Mail,private;Phone\r\na,b,c,d,e\r\n', ';'],
    ['Name\tMail\n', '\t'],
    ['\uFEFF\r\n"Name, first, last";Mail\n', ';'],
    ['"a ""quoted, text""";b\n', ';'],
    ['Name\n', ','],
    ['', ','],
  ])('of %j is %j', async (text, delimiter) => {
    expect(await delimiterOf(fileOf(text))).toBe(delimiter);
  });

  it('is searched in the first 64 KiB only', async () => {
    let pieces = 0;
    const endless = async function* () {
      for (;;) {
        pieces += 1;
        yield Buffer.alloc(1_024, 'x');
      }
    };
    expect(await delimiterOf(endless)).toBe(',');
    expect(pieces).toBe(64);
  });
});

describe('a line of CSV', () => {
  it('quotes delimiters, quotes, line breaks and outer blanks', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', null])).toBe('a,"b,c","d""e","f\ng"," h",\r\n');
  });

  it.each(['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\t=1', "=cmd|' /C calc'!A0", '+1+cmd|x'])(
    'does not let a spreadsheet run %j, and reads it back unchanged',
    (cell) => {
      const [line = ''] = csvLine([cell]).split('\r\n');
      expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
      expect(unguarded(`'${cell}`)).toBe(cell);
    },
  );

  it.each(['+4915112345678', '+49 (151) 123-45', '-12.5', "O'Brien", "'quoted'"])(
    'keeps %j as it is',
    (cell) => {
      expect(csvLine([cell])).toBe(`${cell}\r\n`);
      expect(unguarded(cell)).toBe(cell);
    },
  );
});
