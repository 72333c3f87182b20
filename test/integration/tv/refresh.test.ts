import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RefreshGuides } from '../../../src/core/extras/tv/refresh.js';
import { GuardedGuideOpener } from '../../../src/outgoing/extras/guide-opener.js';
import { createGuard, type Guard } from '../../../src/outgoing/guard.js';
import { PostgresTvStore } from '../../../src/store/extras/tv.js';
import { recordingLog } from '../../support/log.js';
import {
  type LoopbackServer,
  loopbackReceiver,
  type ReceivedRequest,
} from '../../support/loopback-receiver.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { type MadeProgramme, xmltv } from '../../support/xmltv.js';

const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
const hours = (n: number) => new Date(START.getTime() + n * 3_600_000);

let database: TestDatabase;
let store: PostgresTvStore;
let guard: Guard;
let folder: string;
let server: LoopbackServer & { readonly received: ReceivedRequest[] };
/** The server's response: a body, or a status. */
let offered: Buffer | string | number;
let address: string;

const show = (channel: string, at: number, title: string, more: Partial<MadeProgramme> = {}) => ({
  channel,
  start: hours(at),
  minutes: 60,
  title,
  ...more,
});
const titles = () =>
  values<string>(
    database.pool,
    `SELECT network_id || ' ' || title FROM tv_programmes ORDER BY network_id, start_at`,
  );
const networks = () => values<string>(database.pool, 'SELECT id FROM tv_networks ORDER BY id');
const errors = () => values<string | null>(database.pool, 'SELECT error FROM tv_sources ORDER BY place');
/** Checks all sources. */
const refresh = async (...locations: string[]) => {
  await database.pool.query(`UPDATE tv_sources SET next_check_at = now() - interval '1 ms'`);
  await store.setSources(locations);
  const log = recordingLog();
  await new RefreshGuides(store, new GuardedGuideOpener(guard), log, 60).run(new AbortController().signal);
};

beforeAll(async () => {
  database = await testDatabase();
  store = new PostgresTvStore(database.pool);
  guard = createGuard({ allowPrivateTargets: ['127.0.0.0/8'], ownAddress: () => undefined });
  folder = await mkdtemp(join(tmpdir(), 'trunkline-tv-'));
  server = await loopbackReceiver(({ headers, path }, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/guide.xml' }).end();
    else if (typeof offered === 'number') response.writeHead(offered).end();
    else if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"one"' }).end(offered);
  });
  address = `${server.url}guide.xml`;
});
beforeEach(async () => {
  await store.setSources([]);
  server.received.length = 0;
});
afterAll(async () => {
  await guard.close();
  await server.close();
  await rm(folder, { recursive: true });
  await database.drop();
});

describe('a guide at an address', () => {
  it('is read once, and asked for again only if it changed', async () => {
    offered = gzipSync(xmltv(['a'], [show('a', 0, 'One'), show('a', 1, 'Two')]));
    await refresh(`${server.url}moved`);
    await refresh(`${server.url}moved`);
    expect([await networks(), await titles(), await errors()]).toEqual([['a'], ['a One', 'a Two'], [null]]);
    expect(server.received.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
      '"one"',
      '"one"',
    ]);
  });

  it.each([
    ['fails', 500, 'The server answered 500.'],
    ['is cut off', gzipSync(xmltv(['a'], [show('a', 0, 'New')])).subarray(0, 60), 'unexpected end of file'],
    ['is something else', '<html></html>', 'Expected tv, found html.'],
  ])('that %s keeps the programmes that were read before', async (_what, answer, problem) => {
    const path = join(folder, 'kept.xml');
    await writeFile(path, xmltv(['a'], [show('a', 0, 'One')]));
    await refresh(path);
    offered = answer;
    await refresh(address, path);
    expect([await titles(), await errors()]).toEqual([['a One'], [problem, null]]);
    const [minutes] = await values<number>(
      database.pool,
      `SELECT round(extract(epoch FROM next_check_at - now()) / 60)::int FROM tv_sources WHERE error IS NOT NULL`,
    );
    expect(minutes).toBe(10);
  });
});

describe('a guide in a file', () => {
  it('that changed replaces its entries, and keeps programmes that are over', async () => {
    const path = join(folder, 'guide.xml');
    const latin = Buffer.from(
      xmltv(
        ['a', 'b'],
        [show('a', -2, 'Früher'), show('a', 0, 'Alt'), show('a', 1, 'Weg'), show('b', 0, 'B')],
      ).replace('UTF-8', 'ISO-8859-1'),
      'latin1',
    );
    await writeFile(path, latin);
    await refresh(path);
    expect(await titles()).toEqual(['a Früher', 'a Alt', 'a Weg', 'b B']);
    await writeFile(path, xmltv(['a'], [show('a', 0, 'Neu')]));
    await refresh(path);
    expect([await networks(), await titles()]).toEqual([['a'], ['a Früher', 'a Neu']]);
    await refresh();
    expect(await networks()).toEqual([]);
  });

  it('may omit the end of a programme, which then ends where the next begins', async () => {
    const path = join(folder, 'open.xml');
    const open = [0, 2].map((at) => show('a', at, `At ${at}`)).map(({ minutes: _, ...rest }) => rest);
    await writeFile(path, xmltv(['a'], open));
    await refresh(path);
    const ends = await values<Date>(database.pool, 'SELECT end_at FROM tv_programmes ORDER BY start_at');
    expect(ends).toEqual([hours(2), hours(3)]);
  });

  it('that is large is read in batches, and programmes of unknown channels are left out', async () => {
    const path = join(folder, 'large.xml');
    const many = Array.from({ length: 2_500 }, (_, n) => show(n % 500 === 0 ? 'strange' : 'a', n, `No ${n}`));
    await writeFile(path, xmltv(['a'], many));
    await refresh(path);
    expect(await titles()).toHaveLength(2_495);
  });
});

describe('several guides', () => {
  it('share the networks: the first guide that names one provides it', async () => {
    const [first, second] = [join(folder, '1.xml'), join(folder, '2.xml')];
    await writeFile(first, xmltv(['a'], [show('a', 0, 'First')]));
    await writeFile(second, xmltv(['a', 'b'], [show('a', 0, 'Second'), show('b', 0, 'Second')]));
    await refresh(first, second);
    expect(await titles()).toEqual(['a First', 'b Second']);
  });
});

describe('programmes', () => {
  it('that ended more than a week ago are deleted', async () => {
    const path = join(folder, 'old.xml');
    await writeFile(path, xmltv(['a'], [show('a', -24 * 8, 'Old'), show('a', -24, 'Yesterday')]));
    await refresh(path);
    await store.purge();
    expect(await titles()).toEqual(['a Yesterday']);
  });
});
