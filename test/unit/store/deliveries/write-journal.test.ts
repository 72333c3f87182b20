import { appendFile, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileWriteJournal } from '../../../../src/store/deliveries/write-journal.js';
import { silentLog } from '../../../support/log.js';

let folder: string;
const open = (process = 'one') => new FileWriteJournal(folder, process, silentLog);
const file = (process = 'one') => join(folder, 'writes', `${process}.writes`);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunkline-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('A journal of writes', () => {
  it('reports to a successor which writes its process began, even if it began none', () => {
    const journal = open();
    expect(open('two').read()).toEqual({ one: [], two: [] });
    journal.begin('a', 0);
    journal.begin('a', 1);
    journal.begin('b', 0);
    expect(open('two').read()).toEqual({ one: ['a.0', 'a.1', 'b.0'], two: [] });
  });

  it('contains nothing about a process without a journal', () => {
    expect(open('two').read()).not.toHaveProperty('one');
  });

  it('is not trusted after a restart of the machine, when its end may be lost', async () => {
    open().begin('a', 0);
    const [, ...marks] = (await readFile(file(), 'utf8')).split('\n');
    await writeFile(file(), ['another boot', ...marks].join('\n'));
    expect(open('two').read()).not.toHaveProperty('one');
  });

  it('ignores an incomplete line', async () => {
    open().begin('a', 0);
    await appendFile(file(), 'b.');
    expect(open('two').read()).toMatchObject({ one: ['a.0'] });
  });

  it('is limited in size: it drops finished writes and keeps those in progress', async () => {
    const journal = open();
    journal.begin('in progress', 3);
    for (let n = 0; n < 20_000; n += 1) {
      journal.begin(`019b76da-a800-7000-8000-${n}`, 0);
      journal.end(`019b76da-a800-7000-8000-${n}`);
    }
    expect((await stat(file())).size).toBeLessThan(300_000);
    expect(open('two').read().one).toContain('in progress.3');
  });

  it('is removed when it can’t be written, because a gap would make it wrong', async () => {
    const journal = open();
    journal.begin('a', 0);
    for (let n = 0; n < 20_000; n += 1) {
      if (n === 10) await rm(join(folder, 'writes'), { recursive: true });
      journal.begin(`019b76da-a800-7000-8000-${n}`, 0);
    }
    expect(open('two').read()).not.toHaveProperty('one');
  });

  it('is removed a day after it was written last', async () => {
    open().begin('a', 0);
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(file(), before, before);
    open('two');
    expect(await readdir(join(folder, 'writes'))).toEqual(['two.writes']);
  });
});
