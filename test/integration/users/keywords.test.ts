import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let workspace: string;

beforeAll(async () => {
  database = await testDatabase();
  const [id] = await values<string>(
    database.pool,
    `INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'Words') RETURNING id`,
  );
  workspace = String(id);
});

afterAll(() => database.drop());

async function isStop(said: string): Promise<boolean> {
  const [stop] = await values<boolean>(
    database.pool,
    'SELECT is_opt_out_keyword(normalize_keyword($1), $2)',
    [said, workspace],
  );
  return stop === true;
}

describe('a message that opts out', () => {
  it.each([
    'STOP',
    'StopAll',
    'unsubscribe',
    'CANCEL',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'OPT OUT',
    'opt out',
    '/stop',
  ])('is %s', async (said) => {
    expect(await isStop(said)).toBe(true);
  });

  it('may have any blank or format character of Unicode around it', async () => {
    const unseen = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code !== 0 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /[\p{White_Space}\p{Cf}]/u.test(character));
    expect(unseen.length).toBeGreaterThan(150);
    const missed = [];
    for (const character of unseen) {
      if (!(await isStop(`${character}STOP${character}`)))
        missed.push(character.codePointAt(0)?.toString(16));
    }
    expect(missed).toEqual([]);
    expect(await isStop(`${unseen.join('')}stop${unseen.join('')}`)).toBe(true);
  });

  it('may have a no-break space, or several blanks, between its two words', async () => {
    expect(await isStop('Opt\u00a0out')).toBe(true);
    expect(await isStop('opt  out')).toBe(true);
  });

  it('contains no other words, and no other character within the word', async () => {
    for (const said of ['STOP it', 'please stop', 'ST\u200bOP', 'STOP.', 'S T O P', '']) {
      expect([said, await isStop(said)]).toEqual([said, false]);
    }
  });
});
