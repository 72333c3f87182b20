import { describe, expect, it } from 'vitest';
import { sandboxDefinition } from '../../../../adapters/sandbox/definition.js';
import { smsDefinition } from '../../../../adapters/sms/definition.js';
import type { AdapterDefinition } from '../../../../src/contract/index.js';
import { AppError } from '../../../../src/core/common/errors.js';
import { Addresses } from '../../../../src/core/platforms/addresses.js';
import { Platforms } from '../../../../src/core/platforms/catalogue.js';
import { readMembers } from '../../../../src/core/segments/member-list.js';

const addresses = new Addresses(new Platforms([smsDefinition, sandboxDefinition] as AdapterDefinition[]));

/** In chunks of three bytes, so that characters and line ends are split. */
const fileOf = (bytes: Buffer) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  };

async function membersOf(csv: string) {
  const members = [];
  for await (const batch of readMembers(fileOf(Buffer.from(csv)), addresses)) members.push(...batch);
  return members;
}

/** Code and message of the refusal of the file. */
async function refusalOf(csv: string): Promise<[string | undefined, string]> {
  const error = await membersOf(csv).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (!(error instanceof AppError)) throw new Error('The file was taken.');
  const [problem] = (error.details?.fields ?? []) as { code: string; message: string }[];
  return [problem?.code, problem?.message ?? ''];
}

const namesOf = async (csv: string) => (await membersOf(csv)).map(({ variables }) => variables.name);
const HEADER = 'platform,address,name';

describe('the lines of a list', () => {
  it.each([
    ['LF', [`${HEADER}\n`, 'sms,+4915100000001,Ann\n', 'sms,+4915100000002,Bob\n']],
    ['CRLF', [`${HEADER}\r\n`, 'sms,+4915100000001,Ann\r\n', 'sms,+4915100000002,Bob\r\n']],
    ['CR', [`${HEADER}\r`, 'sms,+4915100000001,Ann\r', 'sms,+4915100000002,Bob\r']],
    ['LF and then CRLF', [`${HEADER}\n`, 'sms,+4915100000001,Ann\r\n', 'sms,+4915100000002,Bob\r\n']],
    ['CRLF and then LF', [`${HEADER}\r\n`, 'sms,+4915100000001,Ann\n', 'sms,+4915100000002,Bob']],
    [
      'LF and an empty line that ends in CRLF',
      [`${HEADER}\n`, 'sms,+4915100000001,Ann\n', '\r\n', 'sms,+4915100000002,Bob\n'],
    ],
  ])('may end in %s', async (_what, lines) => {
    expect(await namesOf(lines.join(''))).toEqual(['Ann', 'Bob']);
  });

  it('keep quoted line breaks', async () => {
    expect(await namesOf(`${HEADER}\nsms,+4915100000001,"A\r\nB"\r\nsms,+4915100000002,"C\nD"\r\n`)).toEqual([
      'A\r\nB',
      'C\nD',
    ]);
  });

  it('are counted in the same way wherever the file is cut into pieces', async () => {
    const rows = 9_000;
    for (const shift of [0, 1, 2]) {
      const name = (n: number) => `${'x'.repeat(n === 0 ? shift : 0)}Ann`;
      const lines = Array.from({ length: rows }, (_, n) => `sms,+49151${n + 10_000},${name(n)}`);
      const members = await membersOf(`${HEADER}\n${lines.join('\r\n')}\r\n`);
      expect(members).toHaveLength(rows);
      expect(members.at(-1)).toMatchObject({
        line: rows + 1,
        address: '+4915118999',
        variables: { name: 'Ann' },
      });
    }
  });
});

describe('an SMS number of a list', () => {
  const rows = (...numbers: string[]) => `platform,address\n${numbers.map((one) => `sms,${one}\n`).join('')}`;

  it.each([
    ['spaces', '+49 151 999 999 03'],
    ['no-break and narrow spaces', '+49\u00a0151\u202f99999903'],
    ['hyphens, dots and parentheses', '+49-(151).999-999.03'],
    ['direction marks around it', '\u202a+4915199999903\u202c'],
    ['zero-width spaces within', '+49\u200b15199\u200b999903'],
    ['soft hyphens', '+49151\u00ad99999903'],
    ['a byte order mark', '\ufeff+4915199999903'],
    ['a tab', '+49\t15199999903'],
  ])('is stored as E.164 from one with %s', async (_, number) => {
    expect(await membersOf(rows(number))).toMatchObject([{ platform: 'sms', address: '+4915199999903' }]);
  });

  it.each([
    ['that a spreadsheet made a power of ten', '4.91512E+12'],
    ['that a spreadsheet made a power of ten, with a plus', '+4.91512E+12'],
    ['without its plus', '4915199999903'],
    ['with a leading apostrophe', "'+4915199999903"],
    ['with two zeros in place of the plus', '004915199999903'],
    ['of a country without code', '015199999903'],
    ['with six digits', '+491519'],
    ['with sixteen digits', '+4915199999903123'],
    ['with letters', '+49151CALLME'],
    ['with an extension', '+4915199999903;ext=7'],
    ['with digits of another script', '+٤٩١٥١٩٩٩٩٩٩٠٣'],
    ['that is nothing but filling', '" - "'],
    ['that is empty', ''],
  ])('is refused with its line when it is one %s', async (_, number) => {
    const [code, message] = await refusalOf(rows('+4915100000001', number, '+4915100000002'));
    expect([code, message]).toEqual([
      'invalid_format',
      'Line 3: address must be an E.164 number such as +4915112345678.',
    ]);
  });

  it('may have up to fifteen digits, and as few as seven', async () => {
    const members = await membersOf(rows('+1234567', '+999999999999999'));
    expect(members.map(({ address }) => address)).toEqual(['+1234567', '+999999999999999']);
  });

  it('does not apply to addresses of other platforms', async () => {
    const csv = 'platform,address\nsandbox,deliver+a (1)\n';
    expect(await membersOf(csv)).toMatchObject([{ address: 'deliver+a (1)' }]);
  });

  it('has an installed platform', async () => {
    expect(await refusalOf('platform,address\nsmss,+4915199999903\n')).toEqual([
      'invalid_value',
      'Line 2: platform must be an installed platform.',
    ]);
  });
});

describe('empty rows and columns', () => {
  it('may be rows of commas, blanks and quotes, at any position', async () => {
    const csv =
      ',,\n\nplatform,address,name\n,,\nsms,+4915100000001,Ann\n , ,\t\n"","",""\n,,,,,\nsms,+4915100000002,Bob\n,,\n';
    expect(await namesOf(csv)).toEqual(['Ann', 'Bob']);
  });

  it('do not change the numbers of later lines', async () => {
    expect(await refusalOf('platform,address\n,\n,\nsms,x\n')).toMatchObject([
      'invalid_format',
      expect.stringMatching(/^Line 4: /),
    ]);
  });

  it('may be columns without a name over empty cells', async () => {
    const csv = 'platform,address,,name,\nsms,+4915100000001,,Ann,\nsms,+4915100000002, ,Bob,\n';
    expect(await membersOf(csv)).toMatchObject([
      { variables: { name: 'Ann' } },
      { variables: { name: 'Bob' } },
    ]);
  });

  it('may be empty cells beyond the last column', async () => {
    expect(await namesOf('platform,address,name\nsms,+4915100000001,Ann,,,\n')).toEqual(['Ann']);
  });

  it.each([
    ['under no name', 'platform,address,\nsms,+4915100000001,x\n'],
    ['beyond the last column', 'platform,address\nsms,+4915100000001,x\n'],
  ])('may not be cells %s that have content', async (_, csv) => {
    expect(await refusalOf(csv)).toEqual(['malformed', 'Line 2 has a cell in a column without a name.']);
  });

  it('may not be cells that a row lacks', async () => {
    expect(await refusalOf('platform,address,name\nsms,+4915100000001\n')).toEqual([
      'malformed',
      'Line 2 is not a row of the table.',
    ]);
  });
});

describe('the columns about a contact', () => {
  const HEAD = 'platform,address,display_name,locale,timezone,city';

  it('are not variables', async () => {
    expect(await membersOf(`${HEAD}\nsms,+4915100000001,Ann,de-DE,Europe/Berlin,Bonn\n`)).toEqual([
      {
        line: 2,
        userId: null,
        platform: 'sms',
        address: '+4915100000001',
        displayName: 'Ann',
        locale: 'de-DE',
        timezone: 'Europe/Berlin',
        variables: { city: 'Bonn' },
      },
    ]);
  });

  it('have no effect if they are empty', async () => {
    expect(await membersOf(`${HEAD}\nsms,+4915100000001,, ,,\n`)).toMatchObject([
      { displayName: null, locale: null, timezone: null, variables: {} },
    ]);
  });

  it('may be combined with user_id as well', async () => {
    const id = '019b76da-a800-7000-8000-0000000000a1';
    expect(await membersOf(`user_id,timezone\n${id},america/new_york\n`)).toMatchObject([
      { userId: id, timezone: 'America/New_York' },
    ]);
  });

  it.each([
    ['a zone that is no IANA zone', 'Ann,de-DE,IST', 'timezone'],
    ['an offset', 'Ann,de-DE,+02:00', 'timezone'],
    ['a locale that is none', 'Ann,de_DE!,Europe/Berlin', 'locale'],
    ['a name that is too long', `${'x'.repeat(129)},de-DE,Europe/Berlin`, 'display_name'],
  ])('are refused with the line for %s', async (_, cells, column) => {
    const [code, message] = await refusalOf(`${HEAD}\nsms,+4915100000001,${cells},Bonn\n`);
    expect(code).toBe('invalid_format');
    expect(message).toMatch(/^Line 2: expected /);
    expect(message).toContain(column);
  });

  it('are found under names with invisible characters around them', async () => {
    const csv = '\ufeffplatform\u200b, address ,timezone\nsms,+4915100000001,Europe/Berlin\n';
    expect(await membersOf(csv)).toMatchObject([{ timezone: 'Europe/Berlin', variables: {} }]);
  });
});

describe('a list in batches', () => {
  async function* rows(count: number, cell: string) {
    yield Buffer.from('platform,address,note\n');
    for (let row = 0; row < count; row += 1) yield Buffer.from(`sandbox,sent+${row},${cell}\n`);
  }
  const sizesOf = async (count: number, cell: string) => {
    const sizes: number[] = [];
    for await (const batch of readMembers(() => rows(count, cell), addresses)) sizes.push(batch.length);
    return sizes;
  };

  it('contains at most 5,000 short rows', async () => {
    expect(await sizesOf(12_000, 'x')).toEqual([5_000, 5_000, 2_000]);
  });

  it('contains at most a mebibyte of long rows, so that its memory does not depend on the rows', async () => {
    const sizes = await sizesOf(1_000, 'x'.repeat(4_000));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(1_000);
    expect(Math.max(...sizes) * 4_000).toBeLessThan(1_100_000);
  });

  it('reads on only after the previous batch was consumed', async () => {
    let given = 0;
    async function* counted() {
      for await (const piece of rows(50_000, 'x'.repeat(100))) {
        given += piece.length;
        yield piece;
      }
    }
    let opened = 0;
    const list = readMembers(() => (opened++ === 0 ? rows(1, 'x') : counted()), addresses);
    await list.next();
    expect(given).toBeLessThan(2_000_000);
    await list.return(undefined);
  });

  it.each([
    ['a character that is cut off at the end', Buffer.from([0x75, 0xc3])],
    ['U+0000 in a later piece', Buffer.from('user_id\n\0')],
  ])('is refused for %s', async (_what, bytes) => {
    const read = readMembers(fileOf(bytes), addresses).next();
    await expect(read).rejects.toMatchObject({ details: { fields: [{ field: 'file', code: 'malformed' }] } });
  });

  it('passes on the error of its file', async () => {
    let opened = 0;
    async function* broken() {
      yield Buffer.from('platform,address\nsandbox,a\n');
      throw new Error('The disk is gone.');
    }
    const list = readMembers(() => (opened++ === 0 ? rows(1, 'x') : broken()), addresses);
    await expect(list.next()).rejects.toThrow('The disk is gone.');
  });
});
