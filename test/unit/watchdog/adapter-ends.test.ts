import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdapterEnds } from '../../../src/watchdog/adapter-ends.js';
import { RecordedHolds } from '../../../src/watchdog/adapter-holds.js';
import { adapterIn, rootOf } from '../../../src/watchdog/adapter-roots.js';
import { recordingLog } from '../../support/log.js';

let folder: string;
let file: string;
let faults: unknown[];
let ends: AdapterEnds;
const end = { at: '2026-01-01T00:00:00.000Z', how: 'exit', hook: 'start', connection_id: 'c1' } as const;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ends-'));
  file = join(folder, 'data', 'ends.json');
  faults = [];
  ends = new AdapterEnds(file, (error) => faults.push(error));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const endThrice = () => {
  for (let each = 0; each < 3; each += 1) ends.add('alpha', end);
};
const holds = () => new RecordedHolds(new AdapterEnds(file, () => undefined), recordingLog());
const held = (by: RecordedHolds, generation: number, id = 'c1') => by.heldBack('alpha', '1', id, generation);

describe('process exits caused by adapters', () => {
  it('are kept across restarts, and a suspected one of the previous process counts', () => {
    ends.add('alpha', end);
    ends.suspect('alpha', { ...end, how: 'blocked' });
    const next = new AdapterEnds(file, () => undefined);
    next.confirmSuspects();
    expect(next.of('alpha')).toEqual({ ends: [end, { ...end, how: 'blocked' }] });
    expect(faults).toEqual([]);
  });

  it('are forgotten if they were too few to hold back an adapter, and so is a cleared suspicion', async () => {
    ends.suspect('beta', end);
    ends.suspect('beta', undefined);
    ends.add('gamma', end);
    endThrice();
    ends.forgetHarmless();
    expect(Object.keys(ends.all())).toEqual(['alpha']);
  });

  it('are empty if the file is invalid or cannot be written', async () => {
    await mkdir(join(folder, 'data'));
    for (const text of ['', 'x', '[]', '{"alpha": 1}', '{"alpha": {"ends": "x"}}', 'null']) {
      await writeFile(file, text);
      expect(ends.of('alpha').ends).toEqual([]);
    }
    const lost = new AdapterEnds(join(file, 'below', 'ends.json'), (error) => faults.push(error));
    lost.add('alpha', end);
    expect(faults.length).toBeGreaterThan(0);
    expect(await readFile(file, 'utf8')).toBe('null');
  });
});

describe('an adapter that ended the process three times', () => {
  it('is held back with a reason, but not after two exits', () => {
    ends.add('alpha', end);
    ends.add('alpha', end);
    expect(held(holds(), 1)).toBeUndefined();
    ends.add('alpha', end);
    expect(held(holds(), 1)?.reason).toBe(
      'The adapter alpha ended the service 3 times and is not started. The last time, it exited the process in its hook start.',
    );
  });

  it('is held back again at the next start, until a connection has another generation', () => {
    endThrice();
    expect(held(holds(), 4)).toBeDefined();
    const next = holds();
    expect(held(next, 4)).toBeDefined();
    expect(held(next, 5)).toBeUndefined();
    expect(held(next, 1, 'c2')).toBeUndefined();
    expect(ends.all()).toEqual({});
  });

  it('is retried if a connection was reconnected while this process was down', () => {
    endThrice();
    held(holds(), 4);
    expect(held(holds(), 5)).toBeUndefined();
  });

  it('is retried when another release of it is installed', () => {
    endThrice();
    held(holds(), 4);
    const platforms = (version: string) => ({ find: () => ({ version }) as never });
    const same = holds();
    same.compareReleases(platforms('1'));
    expect(held(same, 4)).toBeDefined();
    const updated = holds();
    updated.compareReleases(platforms('2'));
    expect(held(updated, 4)).toBeUndefined();
  });

  it('while it was loaded is not loaded again until its file changes', () => {
    ends.add('alpha', { at: end.at, how: 'exit' });
    expect(holds().refusalOf('alpha', 'release 1')).toBeUndefined();
    ends.add('alpha', end);
    ends.add('alpha', end);
    expect(holds().refusalOf('alpha', 'release 1')).toContain('ended the service 3 times');
    expect(holds().refusalOf('alpha', 'release 2')).toBeUndefined();
    expect(ends.all()).toEqual({});
  });
});

describe('the adapter found in a stack trace', () => {
  const home = '/srv/trunkline/';

  it('is that of the innermost frame that belongs to an adapter', () => {
    const roots = [
      { adapter: 'irc', path: '/srv/node_modules/trunkline-adapter-irc/' },
      { adapter: 'pager', path: '/srv/pager.mjs' },
    ];
    const of = (...frames: string[]) => adapterIn(frames, roots, home);
    expect(of('at loop (file:///srv/node_modules/trunkline-adapter-irc/dist/x.js:1:2)')).toBe('irc');
    expect(of('node:internal/timers', 'file:///srv/pager.mjs', `${home}dist/src/app/start.js`)).toBe('pager');
    expect(of(`file://${home}dist/adapters/sms/inbound/decode.js`)).toBe('sms');
    expect(of(`at decode (${home}adapters/telegram/inbound/decode.ts:3:1)`)).toBe('telegram');
    expect(of(`${home}dist/src/app/start.js`, `${home}node_modules/x/adapters/http/a.js`)).toBeUndefined();
  });

  it('has the folder of its package as its root, or its file if it has no package', async () => {
    const own = join(folder, 'node_modules', 'irc');
    await mkdir(join(own, 'dist'), { recursive: true });
    await writeFile(join(own, 'package.json'), '{}');
    expect(rootOf(pathToFileURL(join(own, 'dist', 'x.js')).href, home)).toBe(`${own}/`);
    await writeFile(join(folder, 'package.json'), '{}');
    const single = join(folder, 'adapters', 'own.mjs');
    expect(rootOf(pathToFileURL(single).href, `${folder}/`)).toBe(single);
  });
});
