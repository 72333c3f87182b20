import { type FileHandle, open } from 'node:fs/promises';
import { type Header, PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles';
import type { Log } from '../core/common/log.js';
import type { MapDescription, MapTiles } from '../core/extras/locations/map-tiles.js';

/** Maximum number of layer names in a description. */
const MAX_LAYERS = 100;
const MAX_ATTRIBUTION_LENGTH = 500;

interface Opened {
  readonly archive: PMTiles;
  readonly description: MapDescription;
}

/** Vector tiles in one PMTiles file. It is opened when the first map is drawn, and stays open. */
export class MapFile implements MapTiles {
  #opened: Promise<Opened | undefined> | undefined;

  constructor(
    private readonly path: string | undefined,
    private readonly log: Log,
  ) {}

  async describe(): Promise<MapDescription | undefined> {
    return (await this.#open())?.description;
  }

  async tile(z: number, x: number, y: number): Promise<Uint8Array | undefined> {
    const tile = await (await this.#open())?.archive.getZxy(z, x, y);
    return tile === undefined ? undefined : new Uint8Array(tile.data);
  }

  /** Opens the file. A failure is logged and retried for the next map. */
  async #open(): Promise<Opened | undefined> {
    if (this.path === undefined) return undefined;
    this.#opened ??= openArchive(this.path);
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      this.log.warn({ err: error, file: this.path }, 'map.not_readable');
      return undefined;
    }
  }
}

async function openArchive(path: string): Promise<Opened> {
  const file = await open(path, 'r');
  try {
    const archive = new PMTiles(new FileRanges(path, file));
    const header = await archive.getHeader();
    if (header.tileType !== TileType.Mvt) throw new Error('The file has no vector tiles.');
    return { archive, description: describe(header, await archive.getMetadata()) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

class FileRanges implements Source {
  constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, offset);
    return { data: bytes.buffer.slice(0, bytesRead) };
  }

  getKey(): string {
    return this.path;
  }
}

function describe(header: Header, metadata: unknown): MapDescription {
  const { vector_layers: layers, attribution } = metadata as {
    readonly vector_layers?: readonly { readonly id?: unknown }[];
    readonly attribution?: unknown;
  };
  const names = Array.isArray(layers) ? layers.map(({ id }) => id) : [];
  return {
    layers: names.filter((name) => typeof name === 'string').slice(0, MAX_LAYERS),
    min_zoom: header.minZoom,
    max_zoom: header.maxZoom,
    attribution: typeof attribution === 'string' ? textOf(attribution) : '',
  };
}

/** Converts an attribution from HTML to text for the dashboard. */
function textOf(html: string): string {
  return html
    .slice(0, MAX_ATTRIBUTION_LENGTH)
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
    .trim();
}
