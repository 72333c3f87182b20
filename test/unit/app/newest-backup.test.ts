import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PartHeader, writeContainer } from '../../../src/app/backup/container.js';
import { newestBackup } from '../../../src/app/backup/newest-backup.js';

const ENTRIES = 10_050;

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trunkline-newest-'));
  folder = join(root, 'nightly');
  await mkdir(folder);
});

afterEach(() => rm(root, { recursive: true }));

/** Writes a backup of a moment. An existing entry keeps its place in the order of the folder. */
async function backupAt(at: string, name: string): Promise<void> {
  const aside = join(root, 'aside');
  await writeContainer(aside, parts(at));
  await writeFile(join(folder, name), await readFile(aside));
}

async function* parts(at: string) {
  const headers: PartHeader[] = [{ kind: 'backup', at }, { kind: 'end' }];
  for (const header of headers) yield { header, chunks: Readable.from([]) };
}

describe('the newest backup of a folder', () => {
  it('is found among more than 10,000 entries, even if the system lists it last', async () => {
    for (let first = 0; first < ENTRIES; first += 50) {
      const names = Array.from({ length: 50 }, (_, at) => `entry-${first + at}`);
      // Links to nothing take the least time.
      await Promise.all(names.map((name) => symlink(join(root, name), join(folder, name))));
    }
    const names = await readdir(folder);
    await backupAt('2026-01-01T00:00:00.000Z', names[0] ?? '');
    await backupAt('2026-02-01T00:00:00.000Z', names.at(-1) ?? '');
    expect(await newestBackup(folder)).toBe(join(folder, names.at(-1) ?? ''));
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('is found by the time in the file, not by its name or date: %s before %s', async (older, newer) => {
    await backupAt('2026-01-01T00:00:00.000Z', older);
    await backupAt('2026-02-01T00:00:00.000Z', newer);
    await utimes(join(folder, newer), 0, 0);
    await writeFile(join(folder, 'notes.txt'), 'No backup.');
    expect(await newestBackup(folder)).toBe(join(folder, newer));
  });

  it('is found without opening files that were last changed before its snapshot', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    await backupAt(inHours(48).toISOString(), 'newest');
    // Its content cannot be later than its last change. It would win if it was opened.
    for (let number = 0; number < 20; number += 1)
      await backupAt(inHours(72).toISOString(), `older ${number}`);
    for (let number = 0; number < 20; number += 1) await utimes(join(folder, `older ${number}`), 0, number);
    expect(await newestBackup(folder)).toBe(join(folder, 'newest'));
  });

  it('is not guessed in a folder with more entries than are read', async () => {
    await backupAt('2026-01-01T00:00:00.000Z', 'a');
    await backupAt('2026-02-01T00:00:00.000Z', 'b');
    await writeFile(join(folder, 'unfinished.part'), '');
    expect(await newestBackup(folder, 2)).toBe(join(folder, 'b'));
    await expect(newestBackup(folder, 1)).rejects.toThrow('more than 1 entries. Name the file of the backup');
  });
});
