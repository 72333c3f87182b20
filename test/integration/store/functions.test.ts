import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installFile, readFunctionFiles } from '../../../src/store/function-files.js';
import { install } from '../../../src/store/install.js';
import { recordingLog, silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const OWN_FUNCTIONS = fileURLToPath(new URL('../../../src/store/functions', import.meta.url));

const EARLIER = fileURLToPath(new URL('../../fossils/functions', import.meta.url));

/** The functions of releases, and of an earlier build by its date: signature, and parameters with the result. */
const earlierFunctions = () =>
  readdirSync(EARLIER).map((name): [string, [string, string][]] => {
    const lines = readFileSync(join(EARLIER, name), 'utf8').trim().split('\n');
    return [name, lines.map((line) => splitAt(line, line.indexOf(' | ')))];
  });
const isRelease = (version: string) => /^\d+\.\d+\.\d+\.txt$/.test(version);
const splitAt = (line: string, index: number): [string, string] => [
  line.slice(0, index),
  line.slice(index + 3),
];

/** Without the names of the input parameters: a process passes arguments by position. */
const withoutNames = (shape: string) => {
  const [parameters = '', result] = shape.split(' | ');
  const types = parameters.split(', ').map((parameter) => parameter.replace(/^(?!OUT )\w+ /, ''));
  return [types.join(', '), result].join(' | ');
};

const define = (name: string, body: string) =>
  `-- A test.\nCREATE OR REPLACE FUNCTION ${name}() RETURNS text LANGUAGE sql AS $$ ${body} $$;\n`;
const defineTrigger = (name: string, body: string) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;\n`;

describe('the functions of this version', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await testDatabase();
  });

  afterEach(() => database.drop());

  /** The parameters and the result of each function by its signature. */
  async function shapes(): Promise<Map<string, string>> {
    const { rows } = await database.pool.query<{ signature: string; shape: string }>(
      `SELECT oid::regprocedure::text AS signature,
         concat_ws(' | ', pg_get_function_arguments(oid), pg_get_function_result(oid)) AS shape
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
    );
    return new Map(rows.map(({ signature, shape }) => [signature, shape]));
  }

  /** Replaces a function by one with an earlier shape and without a body. */
  async function replaceBy(signature: string, shape: string): Promise<void> {
    const [parameters, result] = shape.split(' | ');
    const name = signature.slice(0, signature.indexOf('('));
    await database.pool.query(
      `DROP FUNCTION ${signature};
       CREATE FUNCTION ${name}(${parameters}) RETURNS ${result} LANGUAGE plpgsql AS 'BEGIN END'`,
    );
  }

  it('are installed a second time with their bodies checked', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL check_function_bodies = on');
      for (const file of readFunctionFiles(OWN_FUNCTIONS).files) await installFile(client, file);
    } finally {
      client.release(true);
    }
  });

  it('are all functions of the database except one default of columns', async () => {
    const { rows } = await database.pool.query(
      `SELECT p.proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
         AND NOT oid::regprocedure::text IN (SELECT jsonb_array_elements_text(functions->'signatures') FROM schema_migrations)`,
    );
    expect(rows).toEqual([{ proname: 'uuid7' }]);
  });

  it('have the parameters and the results that processes of earlier versions rely on', async () => {
    const now = await shapes();
    for (const [version, earlier] of earlierFunctions()) {
      // Functions of a release exist until no supported release calls them.
      const kept = isRelease(version) ? earlier : earlier.filter(([signature]) => now.has(signature));
      expect(kept.length).toBeGreaterThan(500);
      const unnamed = (all: [string, string][]) =>
        all.map(([signature, shape]) => [signature, withoutNames(shape)]);
      const present = kept.map(([signature]): [string, string] => [signature, now.get(signature) ?? '']);
      expect({ version, functions: unnamed(present) }).toEqual({ version, functions: unnamed(kept) });
    }
  });

  it('replace those of earlier versions, also with other names of parameters', async () => {
    const now = await shapes();
    for (const [version, earlier] of earlierFunctions()) {
      const changed = earlier.filter(
        ([signature, shape]) => now.has(signature) && now.get(signature) !== shape,
      );
      if (!isRelease(version)) expect(changed.length).toBeGreaterThan(20);
      for (const [signature, shape] of changed) await replaceBy(signature, shape);
      await database.pool.query(
        `UPDATE schema_migrations SET functions = functions || '{"checksum": "earlier"}'`,
      );
      await install(database.pool, { log: silentLog, release: '0.1.0' });
      expect(await shapes()).toEqual(now);
    }
  });

  it('are not installed again by a process of the same version', async () => {
    const log = recordingLog();
    expect(await install(database.pool, { log, release: '0.1.0' })).toBe(0);
    expect(log.lines).toEqual([]);
  });
});

describe('the installer of functions', () => {
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await testDatabase({ empty: true });
    directory = await mkdtemp(join(tmpdir(), 'trunkline-functions-'));
    await write('schema/0001_first.sql', 'CREATE TABLE a (id int, note text);');
    await mkdir(join(directory, 'functions'));
  });

  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true });
  });

  async function write(path: string, sql: string): Promise<void> {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), sql);
  }

  const remove = (path: string) => rm(join(directory, path));
  const run = (release = '0.1.0', log = silentLog) => install(database.pool, { directory, log, release });
  const call = async (name: string) =>
    (await database.pool.query(`SELECT ${name}() AS answer`)).rows[0].answer;
  const exists = async (signature: string) =>
    (await database.pool.query('SELECT to_regprocedure($1) IS NOT NULL AS yes', [signature])).rows[0].yes;

  it('installs files in any order, although one calls the other and takes a row of a table', async () => {
    await write('functions/x/one.sql', define('one', 'SELECT two()'));
    await write('functions/y/two.sql', define('two', "SELECT three(ROW(1, 'two')::a)"));
    await write(
      'functions/z/three.sql',
      'CREATE OR REPLACE FUNCTION three(x a) RETURNS text LANGUAGE sql AS $$ SELECT x.note $$;',
    );
    await run();
    expect(await call('one')).toBe('two');
  });

  it('installs changed functions without a new schema file', async () => {
    await write('functions/x/one.sql', define('one', "SELECT 'old'"));
    await run();
    await write('functions/x/one.sql', define('one', "SELECT 'new'"));
    expect(await run()).toBe(0);
    expect(await call('one')).toBe('new');
  });

  it('drops functions and overloads that no file defines any more, but none that an operator created', async () => {
    await write('functions/x/one.sql', define('one', 'SELECT two()'));
    await write('functions/x/two.sql', define('two', "SELECT 'two'"));
    await run();
    await database.pool.query(define('of_operator', "SELECT 'mine'"));
    await remove('functions/x/two.sql');
    await write(
      'functions/x/one.sql',
      'CREATE OR REPLACE FUNCTION one(a int) RETURNS int LANGUAGE sql AS $$ SELECT a $$;',
    );
    await run();
    expect(await Promise.all(['one()', 'one(integer)', 'two()', 'of_operator()'].map(exists))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('replaces a function whose parameters have other names, and no function of an operator', async () => {
    const add = (first: string) =>
      `CREATE OR REPLACE FUNCTION add(${first} int, OUT sum int, more numeric(9, 2) DEFAULT 2, texts text[] DEFAULT '{a,b(}')
       LANGUAGE sql AS $$ SELECT ${first} + more + cardinality(texts) $$;\n`;
    await write('functions/x/add.sql', add('most'));
    await write('functions/x/one.sql', define('one', 'SELECT add(40)::text'));
    await run();
    await database.pool.query(
      'CREATE FUNCTION add(mine text) RETURNS text LANGUAGE sql AS $$ SELECT mine $$',
    );
    const oid = async () =>
      (await database.pool.query("SELECT 'add(int, numeric, text[])'::regprocedure::oid AS oid")).rows[0].oid;
    const before = await oid();
    await write('functions/x/add.sql', add('max_rows'));
    await run();
    expect(await oid()).not.toBe(before);
    expect(await call('one')).toBe('44');
    expect((await database.pool.query("SELECT add(mine => 'x')")).rows).toEqual([{ add: 'x' }]);
    const renamed = await oid();
    await write('functions/x/add.sql', `-- With a comment.\n${add('max_rows')}`);
    await run();
    expect(await oid()).toBe(renamed);
  });

  it('refuses other names of parameters of a function that an index uses, naming the index', async () => {
    const half = (name: string) =>
      `CREATE OR REPLACE FUNCTION half(${name} int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT ${name} / 2 $$;\n`;
    await write('functions/x/half.sql', half('a'));
    await run();
    await database.pool.query('CREATE INDEX halves ON a (half(id))');
    await write('functions/x/half.sql', half('b'));
    await expect(run()).rejects.toThrow(
      /The parameters of half\(integer\) cannot be renamed: cannot drop .* index halves depends on function half\(integer\)/,
    );
    expect((await database.pool.query('SELECT half(a => 4)')).rows).toEqual([{ half: 2 }]);
  });

  it('drops a function that no file defines any more although a schema file renames its type', async () => {
    const note = (name: string, type: string) =>
      `CREATE OR REPLACE FUNCTION ${name}(x ${type}) RETURNS text LANGUAGE sql AS $$ SELECT x.note $$;\n`;
    await write('functions/x/kept.sql', note('kept', 'a'));
    await write('functions/x/former.sql', note('former', 'a'));
    await run();
    await write('schema/0002_second.sql', 'ALTER TABLE a RENAME TO b;');
    await write('functions/x/kept.sql', note('kept', 'b'));
    await remove('functions/x/former.sql');
    await run();
    expect(await Promise.all(['kept(b)', 'former(b)'].map(exists))).toEqual([true, false]);
  });

  it('names the file and the line of an error and leaves everything as it was', async () => {
    await write('functions/x/one.sql', define('one', "SELECT 'old'"));
    await run();
    await write('functions/x/one.sql', define('one', "SELECT 'new'"));
    await write('functions/x/two.sql', '-- A test.\n\nCREATE OR REPLACE FUNCTIO two() RETURNS int;');
    await expect(run()).rejects.toThrow('functions/x/two.sql:3: syntax error at or near "FUNCTIO"');
    expect(await call('one')).toBe('old');
  });

  it('refuses a changed type of result, naming the file', async () => {
    await write('functions/x/one.sql', define('one', "SELECT 'old'"));
    await run();
    await write(
      'functions/x/one.sql',
      'CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;',
    );
    await expect(run()).rejects.toThrow(
      'functions/x/one.sql: cannot change return type of existing function.',
    );
  });

  it('installs a trigger of a schema file with the function that its file defines', async () => {
    await write(
      'schema/0002_second.sql',
      'CREATE TRIGGER noted BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION note_row();',
    );
    await write('schema/0003_third.sql', 'INSERT INTO a VALUES (1);');
    await write(
      'functions/triggers/note_row.sql',
      defineTrigger('note_row', "NEW.note := 'noted'; RETURN NEW;"),
    );
    await run();
    await database.pool.query('INSERT INTO a VALUES (2)');
    expect((await database.pool.query('SELECT id, note FROM a ORDER BY id')).rows).toEqual([
      { id: 1, note: null },
      { id: 2, note: 'noted' },
    ]);
  });

  it('refuses a trigger whose function no file defines', async () => {
    await write(
      'schema/0002_second.sql',
      'CREATE TRIGGER noted BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION note_row();',
    );
    await expect(run()).rejects.toThrow(
      /No file in functions\/ defines note_row\(\): cannot drop .* trigger noted on table a depends on function note_row\(\)/,
    );
    expect(await exists('note_row()')).toBe(false);
  });

  it('installs the functions in the transaction of the last schema file', async () => {
    await write('functions/x/one.sql', define('one', 'SELECT note FROM a'));
    await run();
    await write('schema/0002_second.sql', 'ALTER TABLE a RENAME COLUMN note TO text;');
    await write('functions/x/one.sql', 'CREATE OR REPLACE FUNCTION one( RETURNS text;');
    await expect(run()).rejects.toThrow('functions/x/one.sql:1: syntax error');
    expect(await call('one')).toBe(null);
    await write('functions/x/one.sql', define('one', 'SELECT text FROM a'));
    expect(await run()).toBe(1);
    expect(await call('one')).toBe(null);
  });

  it('leaves the functions of a newer schema as they are', async () => {
    await write('functions/x/one.sql', define('one', "SELECT 'new'"));
    await write('functions/x/two.sql', define('two', "SELECT 'added'"));
    await write('schema/0002_second.sql', '-- Works from: 0001\nALTER TABLE a ADD COLUMN more text;');
    await run('0.2.0');
    await remove('schema/0002_second.sql');
    await remove('functions/x/two.sql');
    await write('functions/x/one.sql', define('one', "SELECT 'old'"));
    await run('0.1.0');
    expect([await call('one'), await call('two')]).toEqual(['new', 'added']);
  });

  it('leaves the functions of a newer release with the same schema as they are', async () => {
    await write('functions/x/one.sql', define('one', "SELECT 'new'"));
    await run('0.10.0');
    await write('functions/x/one.sql', define('one', "SELECT 'old'"));
    const log = recordingLog();
    await run('0.9.5', log);
    expect(await call('one')).toBe('new');
    expect(log.lines).toMatchObject([{ level: 'warn', event: 'functions.newer_than_this_version' }]);
    await run('0.10.1');
    expect(await call('one')).toBe('old');
  });

  it('installs functions once when several processes start together', async () => {
    await write('functions/x/one.sql', define('one', "SELECT 'one'"));
    const log = recordingLog();
    await Promise.all([run('0.1.0', log), run('0.1.0', log), run('0.1.0', log)]);
    expect(log.lines.filter(({ event }) => event === 'functions.installed')).toHaveLength(1);
  });
});
