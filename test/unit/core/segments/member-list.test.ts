import { describe, expect, it } from 'vitest';
import { readMembers } from '../../../../src/core/segments/member-list.js';

async function membersOf(csv: string) {
  const members = [];
  for await (const batch of readMembers(Buffer.from(csv))) members.push(...batch);
  return members;
}

const namesOf = async (csv: string) => (await membersOf(csv)).map(({ variables }) => variables.name);
const HEADER = 'platform,address,name';

describe('the lines of a list', () => {
  it.each([
    ['LF', [`${HEADER}\n`, 'sms,+1,Ann\n', 'sms,+2,Bob\n']],
    ['CRLF', [`${HEADER}\r\n`, 'sms,+1,Ann\r\n', 'sms,+2,Bob\r\n']],
    ['CR', [`${HEADER}\r`, 'sms,+1,Ann\r', 'sms,+2,Bob\r']],
    ['LF and then CRLF', [`${HEADER}\n`, 'sms,+1,Ann\r\n', 'sms,+2,Bob\r\n']],
    ['CRLF and then LF', [`${HEADER}\r\n`, 'sms,+1,Ann\n', 'sms,+2,Bob']],
    ['LF and an empty line that ends in CRLF', [`${HEADER}\n`, 'sms,+1,Ann\n', '\r\n', 'sms,+2,Bob\n']],
  ])('may end in %s', async (_what, lines) => {
    expect(await namesOf(lines.join(''))).toEqual(['Ann', 'Bob']);
  });

  it('keep the line breaks that are quoted', async () => {
    expect(await namesOf(`${HEADER}\nsms,+1,"A\r\nB"\r\nsms,+2,"C\nD"\r\n`)).toEqual(['A\r\nB', 'C\nD']);
  });

  it('are counted alike wherever the file is cut into pieces', async () => {
    const rows = 9_000;
    for (const shift of [0, 1, 2]) {
      const name = (n: number) => `${'x'.repeat(n === 0 ? shift : 0)}Ann`;
      const lines = Array.from({ length: rows }, (_, n) => `sms,+${n + 10_000},${name(n)}`);
      const members = await membersOf(`${HEADER}\n${lines.join('\r\n')}\r\n`);
      expect(members).toHaveLength(rows);
      expect(members.at(-1)).toMatchObject({ line: rows + 1, address: '+18999', variables: { name: 'Ann' } });
    }
  });
});
