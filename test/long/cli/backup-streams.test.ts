import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupStage, contents, LOST } from '../../support/backups.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { PROGRAM } from '../../support/service-process.js';

/** Far more than a pipe holds, so that a backup stops in the middle when its output is not read. */
const LARGE = randomBytes(8_000_000);
const READ = '0190b0a0-0000-7000-8000-0000000000ad';
const NEXT = '0190b0a0-0000-7000-8000-0000000000ae';

let stage: BackupStage;
let target: TestDatabase;

beforeAll(async () => {
  stage = await BackupStage.open();
  target = await testDatabase({ empty: true });
  for (const id of [READ, NEXT]) {
    await stage.source.pool.query(
      `INSERT INTO media (id, workspace_id, source, state, size, mime_type)
       SELECT '${id}', id, 'upload', 'ready', ${LARGE.length}, 'text/plain' FROM workspaces LIMIT 1`,
    );
    await mkdir(join(mediaOf('source', id), '..'), { recursive: true });
    await writeFile(mediaOf('source', id), LARGE);
  }
});

afterAll(async () => {
  await target?.drop();
  await stage?.close();
});

const mediaOf = (data: string, id: string) => join(stage.folder, data, 'media', id.slice(-2), id);

function start(url: string, args: readonly string[], data: string, more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: stage.environment(url, data, more) });
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
  return { child, ended: ended.then(([[code], err]) => ({ code: code as number, err })) };
}

/** The open files of a process. */
async function openFiles({ pid }: ChildProcess): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await readdir(folder).catch(() => []);
  return Promise.all(links.map((name) => readlink(join(folder, name)).catch(() => '')));
}

describe('trunkline backup -', () => {
  it('succeeds when files are removed before or while it reads them', async () => {
    const { child, ended } = start(stage.source.url, ['backup', '-'], 'source');
    await expect.poll(() => openFiles(child)).toContain(mediaOf('source', READ));
    for (const id of [READ, NEXT]) await rm(mediaOf('source', id));
    const file = join(stage.folder, 'streamed.backup');
    await pipeline(child.stdout as Readable, createWriteStream(file));
    const { code, err } = await ended;
    expect(err).toContain(`2 files of the snapshot are not in DATA_DIR/media: ${LOST} (a?.txt), ${NEXT}\n`);
    expect(err).toContain('The backup is complete: one snapshot of 20');
    expect(code).toBe(0);
    expect(await stage.run(target.url, ['restore', file], 'target')).toMatchObject({ code: 0, err: '' });
    expect(LARGE.equals(await readFile(mediaOf('target', READ)))).toBe(true);
    expect(await contents(target)).toEqual(await contents(stage.source));
  });

  it('fails when its output is closed before the end', async () => {
    await writeFile(mediaOf('source', READ), LARGE);
    const { child, ended } = start(stage.source.url, ['backup', '-'], 'source');
    await expect.poll(() => openFiles(child)).toContain(mediaOf('source', READ));
    child.stdout.destroy();
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain('EPIPE');
    expect(err).not.toContain('is complete');
  });

  it('is restored from standard input without a temporary copy', async () => {
    const fresh = await testDatabase({ empty: true });
    const temporary = join(stage.folder, 'temporary');
    await mkdir(temporary);
    const from = start(stage.source.url, ['backup', '-'], 'source');
    const into = start(fresh.url, ['restore', '-'], 'fresh', { TMPDIR: temporary });
    await pipeline(from.child.stdout, into.child.stdin);
    expect(await from.ended).toMatchObject({ code: 0 });
    expect(await into.ended).toEqual({ code: 0, err: '' });
    expect(await contents(fresh)).toEqual(await contents(stage.source));
    expect(await readdir(temporary)).toEqual([]);
    await fresh.drop();
  });

  it('is not restored when its stream was cut short', async () => {
    const fresh = await testDatabase({ empty: true });
    const { child, ended } = start(fresh.url, ['restore', '-'], 'fresh');
    const bytes = await readFile(join(stage.folder, 'streamed.backup'));
    child.stdin.end(bytes.subarray(0, -20));
    expect(await ended).toMatchObject({ code: 1, err: expect.stringContaining('incomplete or was changed') });
    await fresh.drop();
  });
});
