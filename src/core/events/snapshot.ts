import type { Snapshot } from './ports.js';

/** A snapshot, read: transactions below `xmin` and those below `xmax` that were not `running` had ended. */
interface Bounds {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly running: ReadonlySet<bigint>;
}

/** A function that says whether a snapshot sees what a transaction wrote. `xmin:xmax:running,…` as PostgreSQL writes it. */
export function visibleIn(snapshot: Snapshot): (transaction: bigint) => boolean {
  const { xmin, xmax, running } = parse(snapshot);
  return (transaction) => transaction < xmin || (transaction < xmax && !running.has(transaction));
}

function parse(snapshot: Snapshot): Bounds {
  const [xmin, xmax, running = ''] = snapshot.split(':');
  if (xmin === undefined || xmax === undefined) throw new Error(`Not a snapshot: ${snapshot}`);
  const list = running === '' ? [] : running.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: new Set(list) };
}
