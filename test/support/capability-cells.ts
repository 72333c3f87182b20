import type { Capabilities } from '../../src/contract/index.js';

/** One statement of a capability table, such as `ops.edit`, `media.image.mime.image/png` or `text.max`. */
export interface Cell {
  readonly path: string;
  readonly value: unknown;
}

/** Proves the cells whose path begins with its own. `rest` is the remaining path. */
type Proof = (value: never, rest: string) => Promise<void> | void;
export type Proofs = Readonly<Record<string, Proof>>;

/** Every cell of a table. */
export function cellsOf(capabilities: Capabilities): readonly Cell[] {
  return leaves('', capabilities);
}

function leaves(path: string, value: unknown): Cell[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) =>
    leaves(path === '' ? name : `${path}.${name}`, part),
  );
}

/** Runs the proof with the longest path that the cell begins with. A cell without a proof is an error. */
export async function prove(proofs: Proofs, { path, value }: Cell): Promise<void> {
  const found = Object.keys(proofs)
    .filter((known) => path === known || path.startsWith(`${known}.`))
    .sort((a, b) => b.length - a.length)[0];
  if (found === undefined) throw new Error(`Nothing proves ${path}.`);
  await proofs[found]?.(value as never, path.slice(found.length + 1));
}

/** A MIME type that matches a pattern of a table. */
export function sampleOf(pattern: string): string {
  return pattern === '*/*' ? 'application/x-sample' : pattern.replace('*', 'x-sample');
}
