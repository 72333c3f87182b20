/** The content of the operator's map. */
export interface MapDescription {
  /** Names of the layers of its vector tiles. */
  readonly layers: readonly string[];
  /** Zoom levels that have tiles. */
  readonly min_zoom: number;
  readonly max_zoom: number;
  /** Plain text; may be empty. */
  readonly attribution: string;
}

/** The operator's map, on which positions are shown. */
export interface MapTiles {
  /** Undefined if there is no map or it can't be read. */
  describe(): Promise<MapDescription | undefined>;
  /** A vector tile (MVT), not compressed. Undefined if the map has no such tile. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
}
