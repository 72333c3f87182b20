import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';
import { type MadeProgramme, xmltv } from '../support/xmltv.js';

const HOUR_MS = 3_600_000;
/** The guide begins with the previous hour. */
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
const iso = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();
const programmes: MadeProgramme[] = Array.from({ length: 100 }, (_, n) => ({
  channel: 'one.example.uk',
  start: new Date(START + n * HOUR_MS),
  minutes: 60,
  title: `Show ${n}`,
  category: n % 2 === 0 ? 'News' : 'Film',
}));

let service: Service;
let api: ApiClient;
let folder: string;
let server: LoopbackServer;

const listed = async (path: string) =>
  (await api.must<{ data: Json[] }>(200, 'GET', `/openapi/tv/networks${path}`)).data;
const schedule = async (query: string) =>
  (await listed(`/one.example.uk/schedule?${query}&limit=100`)).map(({ title }) => title);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunkline-tv-'));
  const file = join(folder, 'guide.xml.gz');
  await writeFile(file, gzipSync(xmltv(['one.example.uk', 'Two@HD'], programmes)));
  server = await loopbackReceiver((_request, response) => response.end(xmltv(['three.example.de'], [])));
  service = await startService({ env: { TV_SOURCES: `${file}, ${server.url}guide.xml` } });
  api = service.client();
  await eventually(
    () => listed(''),
    (networks) => networks.length === 3,
  );
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('television networks', () => {
  it('are those of all sources', async () => {
    const one = {
      id: 'one.example.uk',
      name: 'The one.example.uk',
      languages: ['en'],
      country: 'GB',
      icon_url: null,
    };
    expect(await listed('?order=asc')).toMatchObject([{ id: 'Two@HD' }, one, { id: 'three.example.de' }]);
    expect(await api.must(200, 'GET', '/openapi/tv/networks/one.example.uk')).toEqual(one);
    expect(await api.must(200, 'GET', '/openapi/tv/networks/Two%40HD')).toMatchObject({ id: 'Two@HD' });
    expect(await listed('?filter=country:DE')).toMatchObject([{ id: 'three.example.de' }]);
    expect(await listed('?filter=country:null')).toMatchObject([{ id: 'Two@HD' }]);
    expect(await listed('?filter=id:one.example.uk')).toEqual([one]);
    const { pagination } = await api.must<{ pagination: Json }>(
      200,
      'GET',
      '/openapi/tv/networks?limit=2&cursor=',
    );
    const rest = await listed(`?limit=2&cursor=${pagination.nextCursor}`);
    expect(rest).toMatchObject([{ id: 'Two@HD' }]);
    await api.must(404, 'GET', '/openapi/tv/networks/four');
    await api.must(400, 'GET', '/openapi/tv/networks?sort=country');
  });

  it('need their scope, and are the same in the test workspace', async () => {
    const other = service.client(await service.createKey({ scopes: 'messages:read' }));
    expect((await other.must(403, 'GET', '/openapi/tv/networks')).details).toMatchObject({
      required: ['tv:read'],
    });
    const test = service.client(await service.createKey({ scopes: 'tv:read', test: true }));
    expect((await test.must<{ data: Json[] }>(200, 'GET', '/openapi/tv/networks')).data).toHaveLength(3);
  });
});

describe('a television schedule', () => {
  it('covers the next 24 hours, and starts with the running programme', async () => {
    const shown = await schedule('order=asc');
    expect(['Show 1', 'Show 2']).toContain(shown[0]);
    expect([24, 25]).toContain(shown.length);
    expect(await listed('/Two@HD/schedule')).toEqual([]);
  });

  it('covers the requested period', async () => {
    expect(await schedule(`from=${iso(10)}&to=${iso(13)}&order=asc`)).toEqual([
      'Show 10',
      'Show 11',
      'Show 12',
    ]);
    const found = await listed(`/one.example.uk/schedule?from=${iso(10)}&to=${iso(11)}`);
    expect(found).toEqual([
      {
        id: `one.example.uk@${iso(10).replace(/[-:]|\.\d+/g, '')}`,
        network_id: 'one.example.uk',
        title: 'Show 10',
        start_at: iso(10),
        end_at: iso(11),
        categories: ['News'],
        description: null,
        icon_url: null,
      },
    ]);
    expect(await schedule(`from=${iso(0)}&to=${iso(24 * 14)}`)).toHaveLength(100);
  });

  it('is filtered by title, category and start', async () => {
    const all = `from=${iso(0)}&to=${iso(200)}&order=asc`;
    expect(await schedule(`${all}&filter=title:~how%2099`)).toEqual(['Show 99']);
    expect(await schedule(`${all}&filter=category:Film`)).toHaveLength(50);
    expect(await schedule(`${all}&filter=start_at:<${iso(2)}`)).toEqual(['Show 0', 'Show 1']);
  });

  it('refuses invalid times and unknown networks', async () => {
    const problems = async (query: string) =>
      fieldsOf(await api.get(`/openapi/tv/networks/one.example.uk/schedule?${query}`));
    expect(await problems(`from=${iso(0)}&to=${iso(24 * 14 + 1)}`)).toEqual([['to', 'too_large']]);
    expect(await problems(`from=${iso(1)}&to=${iso(0)}`)).toEqual([['to', 'invalid_value']]);
    expect(await problems('from=now')).toEqual([['from', 'invalid_format']]);
    await api.must(404, 'GET', '/openapi/tv/networks/four/schedule');
  });
});

describe('television without a source', () => {
  it('has no networks', async () => {
    const bare = await startService();
    try {
      expect(await bare.client().must(200, 'GET', '/openapi/tv/networks')).toMatchObject({
        data: [],
        meta: { total_items: 0 },
      });
    } finally {
      await bare.stop();
    }
  });
});
