import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MapFile } from '../../../src/media/map-file.js';
import { silentLog } from '../../support/log.js';
import { pmtiles, vectorTile } from '../../support/pmtiles.js';

const LAYERS = ['earth', 'water'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trunkline-map-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function mapOf(name: string, content: Buffer) {
  const path = join(folder, name);
  await writeFile(path, content);
  return new MapFile(path, silentLog);
}

describe('The map file of the operator', () => {
  it.each([false, true])('has a description and serves its tiles, compressed: %s', async (compressed) => {
    const attribution =
      '<a href="https://example.com" onclick="alert(1)">&copy; Cartographers</a> &amp; friends';
    const map = await mapOf(
      `right-${compressed}.pmtiles`,
      pmtiles({ layers: LAYERS, attribution, compressed }),
    );
    expect(await map.describe()).toEqual({
      layers: LAYERS,
      min_zoom: 0,
      max_zoom: 1,
      attribution: '© Cartographers & friends',
    });
    for (const [z, x, y] of [
      [0, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ] as const) {
      expect(await map.tile(z, x, y)).toEqual(vectorTile(LAYERS));
    }
    expect(await map.tile(2, 0, 0)).toBeUndefined();
  });

  it('is absent when no file is set', async () => {
    const map = new MapFile(undefined, silentLog);
    expect([await map.describe(), await map.tile(0, 0, 0)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['is missing', undefined],
    ['is empty', Buffer.alloc(0)],
    ['is no map', Buffer.from('<html></html>'.repeat(100))],
    ['ends in its header', pmtiles({ layers: LAYERS }).subarray(0, 60)],
    ['has pictures in place of vectors', pmtiles({ layers: LAYERS, tileType: 2 })],
  ])('is logged and ignored when it %s', async (name, content) => {
    const lines: unknown[] = [];
    const path = join(folder, name);
    if (content !== undefined) await writeFile(path, content);
    const log = { ...silentLog, warn: (_: object, line?: string) => void lines.push(line) };
    const map = new MapFile(path, log as typeof silentLog);
    expect(await map.describe()).toBeUndefined();
    expect(await map.tile(0, 0, 0)).toBeUndefined();
    expect(lines).toEqual(['map.not_readable', 'map.not_readable']);
  });

  it('is read as soon as it appears', async () => {
    const path = join(folder, 'late.pmtiles');
    const map = new MapFile(path, silentLog);
    expect(await map.describe()).toBeUndefined();
    await writeFile(path, pmtiles({ layers: LAYERS }));
    expect(await map.describe()).toMatchObject({ layers: LAYERS, attribution: '' });
  });
});
