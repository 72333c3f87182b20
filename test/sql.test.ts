import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs the check on one SQL file. */
function check(sql: string) {
  const root = mkdtempSync(join(tmpdir(), 'trunkline-sql-'));
  folders.push(root);
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.sql'), sql);
  return spawnSync(process.execPath, [resolve('scripts/sql.mjs'), root], { encoding: 'utf8' });
}

describe('the check of SQL files', () => {
  it.each([
    ['a line of 111 characters', `-- ${'x'.repeat(108)}`, 'src/a.sql:1: 111 characters; at most 110'],
    ['white space at the end of a line', 'SELECT 1; ', 'src/a.sql:1: white space at its end'],
    ['a tab', 'SELECT\t1;', 'src/a.sql:1: a tab'],
  ])('refuses %s', (_what, sql, message) => {
    const { status, stderr } = check(`${sql}\n`);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('counts characters and not bytes', () => {
    expect(check(`-- ${'é'.repeat(107)}\n`).status).toBe(0);
  });
});
