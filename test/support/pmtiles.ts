import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

const NONE = 1;
const GZIP = 2;

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const field = (number: number, bytes: Uint8Array | number[]) => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const number = (id: number, value: number) => [...varint(id * 8), ...varint(value)];
const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);

/** A vector tile with layers that each have one square. */
export function vectorTile(layers: readonly string[]): Uint8Array {
  const square = [9, 1024, 1024, 26, 2048, 0, 0, 2048, -2048, 0, 15];
  const geometry = square.flatMap((value, at) => varint([0, 3, 10].includes(at) ? value : zigzag(value)));
  return Uint8Array.from(
    layers.flatMap((name) =>
      field(3, [
        ...field(1, Buffer.from(name)),
        ...field(2, [...number(3, 3), ...field(4, geometry)]),
        ...number(5, 4096),
        ...number(15, 2),
      ]),
    ),
  );
}

interface Archive {
  readonly layers: readonly string[];
  readonly attribution?: string;
  readonly compressed?: boolean;
  /** 1: vector tiles; 2: PNG. */
  readonly tileType?: number;
}

/** A PMTiles archive of version 3 with the tiles of the zoom levels 0 and 1. */
export function pmtiles({ layers, attribution, compressed = false, tileType = 1 }: Archive): Buffer {
  const pack = (bytes: Uint8Array) => (compressed ? gzipSync(bytes) : Buffer.from(bytes));
  const ids = [zxyToTileId(0, 0, 0), ...[0, 1, 2, 3].map((at) => zxyToTileId(1, at % 2, at >> 1))].sort();
  const tile = pack(vectorTile(layers));
  const directory = pack(
    Uint8Array.from([
      ...varint(ids.length),
      ...ids.flatMap((id, at) => varint(id - (ids[at - 1] ?? 0))),
      ...ids.flatMap(() => varint(1)),
      ...ids.flatMap(() => varint(tile.length)),
      // All tiles have the same content.
      ...ids.flatMap(() => varint(1)),
    ]),
  );
  const metadata = pack(
    Buffer.from(JSON.stringify({ attribution, vector_layers: layers.map((id) => ({ id, fields: {} })) })),
  );
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header[7] = 3;
  let offset = header.length;
  for (const [at, part] of [directory, metadata, Buffer.alloc(0), tile].entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * at);
    header.writeBigUInt64LE(BigInt(part.length), 16 + 16 * at);
    offset += part.length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(ids.length), at);
  header.set([1, compressed ? GZIP : NONE, compressed ? GZIP : NONE, tileType, 0, 1], 96);
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) {
    header.writeInt32LE(degrees * 10_000_000, 102 + 4 * at);
  }
  return Buffer.concat([header, directory, metadata, tile]);
}
