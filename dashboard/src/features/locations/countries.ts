import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import countriesUrl from 'world-atlas/countries-50m.json?url';

type Land = Polygon | MultiPolygon;

/** The outlines of countries by Natural Earth, prepared for a flat map. */
export async function loadCountries(): Promise<FeatureCollection> {
  const topology = (await (await fetch(countriesUrl)).json()) as Topology<{
    countries: GeometryCollection;
  }>;
  const { features } = feature(topology, topology.objects.countries);
  return { type: 'FeatureCollection', features: features.map((one) => flat(one as Feature<Land>)) };
}

/** The data is made for a sphere. Outlines cross from 180° to -180°, which a flat map draws as a band around the world. */
function flat({ geometry, properties }: Feature<Land>): Feature<MultiPolygon> {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return {
    type: 'Feature',
    properties,
    geometry: { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(unwrapped)) },
  };
}

/** Continues an outline beyond 180°, where the map repeats. An outline around the pole (Antarctica) is closed along the pole. */
export function unwrapped(ring: readonly Position[]): Position[] {
  let turn = 0;
  let before: number | undefined;
  const line = ring.map(([longitude = 0, latitude = 0]): Position => {
    const step = before === undefined ? 0 : longitude - before;
    if (Math.abs(step) > 180) turn -= 360 * Math.sign(step);
    before = longitude;
    return [longitude + turn, latitude];
  });
  const [first] = line;
  const last = line.at(-1);
  if (turn === 0 || first === undefined || last === undefined) return line;
  return [...line, [last[0] ?? 0, -90], [first[0] ?? 0, -90], first];
}
