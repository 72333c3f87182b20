import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLine } from '../../../src/core/csv/write-csv.js';
import { rowAt, tamper, writeAuditRows } from '../../support/audit-chain.js';
import { CommandHost } from '../../support/command-line.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const HEAD = /Head: (\S+:\d+:[0-9a-f]{64})\n/;

let host: CommandHost;
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  host = new CommandHost();
  folder = await mkdtemp(join(tmpdir(), 'trunkline-audit-'));
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  database = await testDatabase();
  await database.pool.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'One')`, [WORKSPACE]);
  await writeAuditRows(database.pool, WORKSPACE, 5);
});
afterEach(() => database.drop());

const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
const verify = (...args: string[]) =>
  host.run(['audit', 'verify', ...args], { ...environment, DATABASE_URL: database.url });
/** Without a database. */
const verifyOffline = (...args: string[]) => host.run(['audit', 'verify', ...args], environment);

async function head(): Promise<string> {
  const { code, out } = await verify();
  expect(code, out).toBe(0);
  return HEAD.exec(out)?.[1] ?? '';
}

describe('trunkline audit verify with the database', () => {
  it('counts the rows of an intact log and prints its head, which it expects the next time', async () => {
    const { code, out } = await verify();
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Workspace ${WORKSPACE}: 5 rows, intact. Head: ${WORKSPACE}:5:`));
    const before = HEAD.exec(out)?.[1] ?? '';
    await writeAuditRows(database.pool, WORKSPACE, 2);
    expect(await verify('--expect', before)).toMatchObject({
      code: 0,
      out: expect.stringContaining('7 rows, intact'),
    });
  });

  it.each([
    ['changed', `UPDATE audit_log SET action = 'none' WHERE id = ${rowAt(3)}`],
    ['changed', `UPDATE audit_log SET address = NULL WHERE id = ${rowAt(3)}`],
    ['changed', `UPDATE audit_log SET created_at = created_at - interval '1 ms' WHERE id = ${rowAt(3)}`],
    ['missing', `DELETE FROM audit_log WHERE id = ${rowAt(3)}`],
  ])('names the first row that was %s: %s', async (what, statement) => {
    await tamper(database.pool, statement, `UPDATE audit_log SET action = 'none' WHERE id = ${rowAt(5)}`);
    const { code, out } = await verify();
    expect(out).toMatch(new RegExp(`BROKEN: row 3 \\([0-9a-f-]{36}\\) (?:was|is) ${what}\\. Head`));
    expect(code).toBe(1);
  });

  it('names the gap after rows were deleted with their places', async () => {
    await tamper(
      database.pool,
      `DELETE FROM audit_log WHERE id IN (${rowAt(2)}, ${rowAt(3)})`,
      'DELETE FROM audit_chain WHERE number IN (2, 3)',
    );
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining('rows 2 to 3 are missing'),
    });
  });

  it('finds rows that changed their places', async () => {
    await tamper(
      database.pool,
      'ALTER TABLE audit_chain DROP CONSTRAINT audit_chain_row_id_key',
      `UPDATE audit_chain c SET row_id = (SELECT o.row_id FROM audit_chain o WHERE o.number = 5 - c.number)
       WHERE number IN (2, 3)`,
    );
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/row 2 \(\S+\) was changed/),
    });
  });

  it('detects from the next row that the hash of a row was recomputed', async () => {
    await tamper(
      database.pool,
      `UPDATE audit_log SET action = 'none' WHERE id = ${rowAt(3)}`,
      `UPDATE audit_chain c SET hash = audit_hash(a, c.number, c.previous_hash)
       FROM audit_log a WHERE a.id = c.row_id AND c.number = 3`,
    );
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/row 4 \(\S+\) does not follow row 3/),
    });
  });

  it('reports an inserted row that is in no chain, apart from the intact rows', async () => {
    await tamper(
      database.pool,
      `INSERT INTO audit_log (id, workspace_id, actor_type, action, object_type)
       VALUES ('${WORKSPACE}', '${WORKSPACE}', 'system', 'none', 'user')`,
    );
    const { code, out } = await verify();
    expect(out).toContain('5 rows, intact');
    expect(out).toContain(`BROKEN: 1 inserted, in no chain. The first one is ${WORKSPACE}`);
    expect(code).toBe(1);
  });

  it('finds a truncated end and a rewritten chain by the head that was printed before', async () => {
    const before = await head();
    await tamper(
      database.pool,
      `DELETE FROM audit_log WHERE id IN (${rowAt(4)}, ${rowAt(5)})`,
      'DELETE FROM audit_chain WHERE number IN (4, 5)',
    );
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('3 rows, intact') });
    expect(await verify('--expect', before)).toMatchObject({
      code: 1,
      out: expect.stringContaining('rows 4 to 5 are missing'),
    });
    await writeAuditRows(database.pool, WORKSPACE, 2);
    expect(await verify('--expect', before)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/row 5 \(\S+\) is not the expected one/),
    });
    await tamper(database.pool, 'DELETE FROM audit_log', 'DELETE FROM audit_chain');
    expect(await verify('--expect', before)).toMatchObject({
      code: 1,
      out: expect.stringContaining('rows 1 to 5 are missing'),
    });
    expect(await verify()).toMatchObject({ code: 0, out: 'The audit log has no rows.\n' });
  });

  it('refuses a head that it did not print, and --partial without a file', async () => {
    expect(await verify('--expect', 'something')).toMatchObject({ code: 2 });
    expect(await verify('--partial')).toMatchObject({ code: 2 });
  });
});

describe('trunkline audit verify with an export', () => {
  /** Exports the log, changes its lines, and writes them to a file. */
  async function exported(change: (lines: string[]) => string[] = (lines) => lines): Promise<string> {
    const { code, out } = await host.run(['audit', 'export'], { ...environment, DATABASE_URL: database.url });
    expect(code).toBe(0);
    const file = join(folder, 'export.jsonl');
    await writeFile(file, `${change(out.trim().split('\n')).join('\n')}\n`);
    return file;
  }

  it('prints the same head as the database, in any order of the rows', async () => {
    const before = await head();
    const { code, out } = await verifyOffline(await exported((lines) => lines.reverse()), '--expect', before);
    expect(out).toBe(`Workspace ${WORKSPACE}: 5 rows, intact. Head: ${before}\n`);
    expect(code).toBe(0);
  });

  it('names a row that was changed, is missing, or is there twice', async () => {
    const changed = await exported((lines) => lines.map((line) => line.replace('test.4', 'test.9')));
    expect(await verifyOffline(changed)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/row 4 \(\S+\) was changed/),
    });
    const shorter = await exported((lines) => lines.filter((line) => !line.includes('test.2')));
    expect(await verifyOffline(shorter)).toMatchObject({
      code: 1,
      out: expect.stringContaining('row 2 is missing'),
    });
    expect(await verifyOffline(shorter, '--partial')).toMatchObject({ code: 0 });
    const longer = await exported((lines) => [...lines, String(lines[3])]);
    expect(await verifyOffline(longer)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/row 4 \(\S+\) was inserted/),
    });
  });

  it('reads the CSV of the dashboard', async () => {
    const lines = (await readFile(await exported(), 'utf8')).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    const header = [
      'time',
      'actor_type',
      'actor_id',
      'actor',
      'action',
      'object_type',
      'object_id',
      'address',
    ];
    const table = rows.map(({ id, created_at: at, actor, action, object, address, chain }) => [
      ...[at, actor.type, actor.id, '=A "name"\r\nin two lines', action, object.type, object.id, address],
      ...[id, chain.workspace_id, String(chain.number), chain.previous_hash, chain.hash],
    ]);
    const file = join(folder, 'export.csv');
    const text = [[...header, 'id', 'workspace_id', 'number', 'previous_hash', 'hash'], ...table.reverse()];
    await writeFile(file, text.map(csvLine).join(''));
    expect(await verifyOffline(file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('5 rows, intact'),
    });
    await writeFile(file, text.map(csvLine).join('').replace('test.1', 'test.8'));
    expect(await verifyOffline(file)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/row 1 \(\S+\) was changed/),
    });
  });

  it.each(['{"id": 1}\n', '{"id"', 'time,action\r\nnow,none\r\n', '"time\r\n'])(
    'refuses a file that is no export: %j',
    async (text) => {
      const file = join(folder, 'other');
      await writeFile(file, text);
      expect(await verifyOffline(file)).toMatchObject({ code: 2, out: '' });
    },
  );

  it('refuses a file that is not there', async () => {
    const { code, err } = await verifyOffline(join(folder, 'none'));
    expect(code).toBe(2);
    expect(err).toContain('cannot be read');
  });
});
