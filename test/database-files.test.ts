import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { functionFaults, functionsInSchema, readDatabaseFiles } from './support/database-files.js';

const STORE = fileURLToPath(new URL('../src/store', import.meta.url));
/** The checksums of the schema files of each release. */
const RELEASES = fileURLToPath(new URL('fossils/schemas', import.meta.url));

const GOOD = `-- Accepts a message.
--
-- Locks: conversations.
-- Returns: string

-- Half of it.
CREATE OR REPLACE FUNCTION half(a int) RETURNS int LANGUAGE sql AS $$ SELECT a / 2; $$;

CREATE OR REPLACE FUNCTION half(a bigint) RETURNS bigint LANGUAGE sql AS 'SELECT a / 2;';

CREATE OR REPLACE FUNCTION accept() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- A comment; with a semicolon.
  RETURN 'CREATE TABLE x;';
END $$;
`;
const PATH = 'functions/messages/accept.sql';
const faultsOf = (sql: string, path = PATH) => functionFaults([{ path, sql }]);

describe('the schema files', () => {
  test.each(readdirSync(RELEASES))('of a release are unchanged: %s', (release) => {
    for (const line of readFileSync(join(RELEASES, release), 'utf8').trim().split('\n')) {
      const [checksum = '', name = ''] = line.split('  ');
      const text = readFileSync(join(STORE, 'schema', name));
      expect([name, createHash('sha256').update(text).digest('hex')]).toEqual([name, checksum]);
    }
  });

  test('define no functions except those for column defaults', () => {
    expect(functionsInSchema(readDatabaseFiles(STORE, 'schema'))).toEqual([]);
  });

  test.each(['CREATE FUNCTION f() RETURNS int', 'CREATE OR REPLACE FUNCTION f()', 'create procedure f()'])(
    'are reported if they define another function: %j',
    (sql) => {
      const files = [{ path: 'schema/0001_a.sql', sql: `CREATE TABLE a (id int);\n${sql} …` }];
      expect(functionsInSchema(files)).toEqual(['schema/0001_a.sql defines f: it belongs in functions/']);
    },
  );

  test('may define the default of a column, and mention CREATE FUNCTION in a comment', () => {
    const sql = 'CREATE FUNCTION uuid7() RETURNS uuid …; -- CREATE FUNCTION x()';
    expect(functionsInSchema([{ path: 'schema/0001_a.sql', sql }])).toEqual([]);
  });
});

describe('the function files', () => {
  test('define each function once, with a header that states its purpose and result', () => {
    expect(functionFaults(readDatabaseFiles(STORE, 'functions'))).toEqual([]);
  });

  test('may contain helpers above the function, overloads, and any text in bodies', () => {
    expect(faultsOf(GOOD)).toEqual([]);
    expect(faultsOf(GOOD.replace('-- Returns: string\n', ''), 'functions/messages/_shared.sql')).toEqual([
      'functions/messages/_shared.sql does not say what accept does',
    ]);
  });

  test.each([
    [
      'no header',
      GOOD.replace(/^(--.*\n)+/, ''),
      [`${PATH} has no header that says what it promises`, `${PATH} does not say "-- Returns: …"`],
    ],
    ['no result', GOOD.replace('-- Returns: string\n', ''), [`${PATH} does not say "-- Returns: …"`]],
    [
      'another statement',
      `${GOOD}DROP FUNCTION x();`,
      [`${PATH} holds more than CREATE OR REPLACE FUNCTION`],
    ],
    [
      'no OR REPLACE',
      GOOD.replace('CREATE OR REPLACE FUNCTION half(a int)', 'CREATE FUNCTION half(a int)'),
      [`${PATH} holds more than CREATE OR REPLACE FUNCTION`, `${PATH} does not say what half does`],
    ],
    [
      'another name',
      GOOD.replace('FUNCTION accept()', 'FUNCTION refuse()'),
      [`${PATH} does not end with the function accept`, `${PATH} does not say what refuse does`],
    ],
    [
      'a helper without a comment',
      GOOD.replace('-- Half of it.\n', ''),
      [`${PATH} does not say what half does`],
    ],
  ])('are reported if they have %s', (_what, sql, faults) => {
    expect(faultsOf(sql)).toEqual(faults);
  });

  test('are reported if a function is defined twice or a file is outside an area', () => {
    const again = 'functions/inbound/accept.sql';
    expect(
      functionFaults([
        { path: PATH, sql: GOOD },
        { path: again, sql: GOOD },
      ]),
    ).toEqual([`half is defined in ${PATH} and ${again}`, `accept is defined in ${PATH} and ${again}`]);
    expect(faultsOf(GOOD, 'functions/accept.sql')).toEqual([
      'functions/accept.sql is not functions/<area>/<function>.sql',
    ]);
  });
});
