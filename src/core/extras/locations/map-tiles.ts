/** What the operator's map contains. */
export interface MapDescription {
  /** Names of the layers of its vector tiles. */
  readonly layers: readonly string[];
  /** Zoom levels that have tiles. */
  readonly min_zoom: number;
  readonly max_zoom: number;
  /** Plain text; may be empty. */
  readonly attribution: string;
}

/** The map below positions that the operator supplies. */
export interface MapTiles {
  /** Undefined: there is none, or it cannot be read. */
  describe(): Promise<MapDescription | undefined>;
  /** A vector tile (MVT), not compressed. Undefined: the map has nothing there. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | undefined>;
}
