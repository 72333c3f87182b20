import type { Feature, FeatureCollection, LineString, Point as MapPoint } from 'geojson';
import {
  AttributionControl,
  type GeoJSONSource,
  Map as LiveMap,
  LngLatBounds,
  NavigationControl,
  setWorkerUrl,
} from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { loadCountries } from './countries';
import { addOwnMap, attributionOf, loadOwnMap, type OwnMap, paintOwnMap } from './own-map';

interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The content of the map. */
export interface MapContent {
  /** The last position of each session, with its id. */
  readonly sessions: readonly (Position & { readonly id: string })[];
  readonly chosen: string | undefined;
  /** The positions of the selected session, oldest first. */
  readonly track: readonly Position[];
}

export interface DrawnMap {
  show(content: MapContent): void;
  remove(): void;
}

setWorkerUrl(workerUrl);

/** Maximum zoom for positions, at street level. The outline of land has no more detail. */
const CLOSEST = 14;
const MARGIN = 60;

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws the map into the element. Throws if the browser has no WebGL, or if a part of the map fails to load. */
export async function drawMap(element: HTMLElement, onChoose: (id: string) => void): Promise<DrawnMap> {
  if (document.createElement('canvas').getContext('webgl2') === null) throw new Error('WebGL is missing.');
  const [land, own] = await Promise.all([loadCountries(), loadOwnMap()]);
  const map = new LiveMap({
    container: element,
    style: { version: 8, sources: {}, layers: [{ id: 'sea', type: 'background' }] },
    center: [10, 25],
    zoom: 1,
    maxZoom: 18,
    attributionControl: false,
    fadeDuration: 0,
    locale: {},
  });
  map.addControl(new AttributionControl({ compact: false, customAttribution: attributionOf(own) }));
  map.addControl(new NavigationControl({ showCompass: false }));
  await drawLand(map, land, own).catch((error: unknown) => {
    map.remove();
    throw error;
  });
  map.on('click', 'sessions', ({ features }) => {
    const id = features?.[0]?.properties.id;
    if (typeof id === 'string') onChoose(id);
  });
  const themes = new MutationObserver(() => paint(map, own));
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  let shown: string | undefined;
  return {
    show(content) {
      setData(
        map,
        'sessions',
        content.sessions.map((one) => dot(one, content.chosen)),
      );
      setData(map, 'track', lineOf(content.track));
      // The view does not move when the same session receives further positions.
      const next = `${content.chosen ?? ''} ${content.track.length > 0}`;
      if (shown !== next && moveView(map, content)) shown = next;
    },
    remove() {
      themes.disconnect();
      map.remove();
    },
  };
}

async function drawLand(map: LiveMap, land: FeatureCollection, own: OwnMap | null): Promise<void> {
  await becomes(map, 'load');
  addLayers(map, land, own);
  paint(map, own);
  // The worker has cut the land into tiles, and the map has drawn it.
  await becomes(map, 'idle');
}

/** Resolves when the event fires. Throws the first error of the map, such as a worker that failed to load. */
function becomes(map: LiveMap, event: 'load' | 'idle'): Promise<void> {
  return new Promise((resolve, reject) => {
    map.once(event, () => resolve());
    map.once('error', ({ error }) => reject(error));
  });
}

function addLayers(map: LiveMap, land: FeatureCollection, own: OwnMap | null): void {
  const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] };
  map.addSource('land', { type: 'geojson', data: land });
  map.addSource('track', { type: 'geojson', data: nothing });
  map.addSource('sessions', { type: 'geojson', data: nothing });
  map.addLayer({ id: 'land', type: 'fill', source: 'land' });
  map.addLayer({ id: 'borders', type: 'line', source: 'land', paint: { 'line-width': 1 } });
  if (own !== null) addOwnMap(map, own);
  map.addLayer({
    id: 'track',
    type: 'line',
    source: 'track',
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-width': 3 },
  });
  map.addLayer({
    id: 'sessions',
    type: 'circle',
    source: 'sessions',
    paint: { 'circle-radius': ['case', ['get', 'isChosen'], 9, 7], 'circle-stroke-width': 2 },
  });
}

/** Applies the colours of the theme. */
function paint(map: LiveMap, own: OwnMap | null): void {
  if (own !== null) paintOwnMap(map, own, token);
  map.setPaintProperty('sea', 'background-color', token('--canvas'));
  map.setPaintProperty('land', 'fill-color', token('--surface'));
  map.setPaintProperty('borders', 'line-color', token('--line-strong'));
  map.setPaintProperty('track', 'line-color', token('--accent'));
  const chosen = token('--plot-2');
  map.setPaintProperty('sessions', 'circle-color', ['case', ['get', 'isChosen'], chosen, token('--accent')]);
  map.setPaintProperty('sessions', 'circle-stroke-color', token('--surface'));
}

function dot(one: Position & { readonly id: string }, chosen: string | undefined): Feature<MapPoint> {
  return {
    type: 'Feature',
    properties: { id: one.id, isChosen: one.id === chosen },
    geometry: { type: 'Point', coordinates: [one.longitude, one.latitude] },
  };
}

function lineOf(track: readonly Position[]): Feature<LineString>[] {
  if (track.length < 2) return [];
  const coordinates = track.map(({ longitude, latitude }) => [longitude, latitude]);
  return [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }];
}

function setData(map: LiveMap, source: string, features: Feature[]): void {
  map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features });
}

/** Moves the view to the selected session, or to all sessions. Returns false if there are no positions yet. */
function moveView(map: LiveMap, { sessions, chosen, track }: MapContent): boolean {
  const own = sessions.filter(({ id }) => id === chosen);
  const wanted = chosen === undefined ? sessions : [...own, ...track];
  if (wanted.length === 0) return false;
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of wanted) bounds.extend([longitude, latitude]);
  map.fitBounds(bounds, { padding: MARGIN, maxZoom: chosen === undefined ? 6 : CLOSEST, animate: false });
  return true;
}
