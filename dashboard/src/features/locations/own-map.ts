import type { LayerSpecification, Map as LiveMap } from 'maplibre-gl';

export interface OwnMap {
  readonly layers: readonly string[];
  readonly min_zoom: number;
  readonly max_zoom: number;
  readonly attribution: string;
}

const BASE = '/dashboard/api/map';
const SOURCE = 'own-map';

/** The layers in drawing order, with their colours. The names are those of the Protomaps and OpenMapTiles schemas. */
const LAYERS = [
  { names: ['earth'], type: 'fill', colour: '--surface' },
  { names: ['landuse', 'landcover'], type: 'fill', colour: '--hover' },
  { names: ['water'], type: 'fill', colour: '--canvas' },
  { names: ['buildings', 'building'], type: 'fill', colour: '--line' },
  { names: ['roads', 'transportation'], type: 'line', colour: '--line-strong' },
  { names: ['boundaries', 'boundary'], type: 'line', colour: '--muted' },
] as const;

/** The map that the operator supplies, or null if there is none. On an error response the outline of countries is sufficient. */
export async function loadOwnMap(): Promise<OwnMap | null> {
  const response = await fetch(BASE);
  if (!response.ok) return null;
  return ((await response.json()) as { readonly map: OwnMap | null }).map;
}

const drawn = ({ layers }: OwnMap) =>
  LAYERS.flatMap(({ names, ...layer }) =>
    names.filter((name) => layers.includes(name)).map((name) => ({ ...layer, name, id: `own-${name}` })),
  );

/** Adds its layers above the existing layers of the map. */
export function addOwnMap(map: LiveMap, own: OwnMap): void {
  map.addSource(SOURCE, {
    type: 'vector',
    tiles: [`${location.origin}${BASE}/tiles/{z}/{x}/{y}`],
    minzoom: own.min_zoom,
    maxzoom: own.max_zoom,
  });
  for (const { id, name, type } of drawn(own)) {
    map.addLayer({ id, type, source: SOURCE, 'source-layer': name } as LayerSpecification);
  }
}

/** Applies the colours of the theme, which `token` reads. */
export function paintOwnMap(map: LiveMap, own: OwnMap, token: (name: string) => string): void {
  for (const { id, type, colour } of drawn(own)) {
    map.setPaintProperty(id, type === 'fill' ? 'fill-color' : 'line-color', token(colour));
  }
}

/** The attribution, escaped because the map expects HTML. */
export function attributionOf(own: OwnMap | null): string {
  const text = [own?.attribution, 'Natural Earth'].filter(Boolean).join(' | ');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
