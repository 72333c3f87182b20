import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import type { MapTiles } from '../../../core/extras/locations/map-tiles.js';
import { acceptsGzip } from '../../accept-encoding.js';
import { type Route, route, TakeOver } from '../../route.js';
import { dashboard } from './common.js';

/** One day, because the map file changes only with a restart. */
const CACHE = 'private, max-age=86400';
/** The highest zoom level of the format. */
const MAX_ZOOM = 26;
const compress = promisify(gzip);

const coordinate = z
  .string()
  .regex(/^(0|[1-9]\d{0,7})$/)
  .transform(Number);
const tileParams = z
  .object({ z: coordinate, x: coordinate, y: coordinate })
  .refine((tile) => tile.z <= MAX_ZOOM && tile.x < 2 ** tile.z && tile.y < 2 ** tile.z);

/** Null if the operator provides no map. */
const mapAnswer = z.object({
  map: z
    .object({
      layers: z.array(z.string()),
      min_zoom: z.number(),
      max_zoom: z.number(),
      attribution: z.string(),
    })
    .nullable(),
});

export function mapRoutes(tiles: MapTiles): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/map',
      summary: 'Describe the map that the operator supplies',
      response: mapAnswer,
      success: 200,
      handler: async () => ({ map: (await tiles.describe()) ?? null }),
    }),
    route({
      ...dashboard,
      method: 'GET',
      path: '/map/tiles/{z}/{x}/{y}',
      summary: 'Get a vector tile of the map',
      params: tileParams,
      success: 200,
      handler: async ({ params, header }) => {
        // A missing tile is empty: a tile without layers has nothing to draw and is not an error.
        const tile = (await tiles.tile(params.z, params.x, params.y)) ?? new Uint8Array();
        const isCompressed = acceptsGzip(header('accept-encoding'));
        const body = isCompressed ? await compress(tile) : tile;
        return new TakeOver((response) => void response.end(body), {
          'content-type': 'application/vnd.mapbox-vector-tile',
          'cache-control': CACHE,
          vary: 'Accept-Encoding',
          ...(isCompressed && { 'content-encoding': 'gzip' }),
        });
      },
    }),
  ];
}
