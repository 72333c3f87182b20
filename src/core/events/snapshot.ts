import type { Snapshot } from './ports.js';

/** A parsed snapshot. Transactions below `xmin` had ended, and so had those below `xmax` that are not in `running`. */
interface Bounds {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly running: ReadonlySet<bigint>;
}

/** Returns a function that tests whether the snapshot sees a transaction. PostgreSQL's format is `xmin:xmax:running,…`. */
export function visibleIn(snapshot: Snapshot): (transaction: bigint) => boolean {
  const { xmin, xmax, running } = parse(snapshot);
  return (transaction) => transaction < xmin || (transaction < xmax && !running.has(transaction));
}

/** Whether a snapshot sees every transaction that another one sees, so it was not taken before. */
export function includes(snapshot: Snapshot, other: Snapshot): boolean {
  const { xmax, running } = parse(snapshot);
  const isVisible = visibleIn(other);
  return xmax >= parse(other).xmax && ![...running].some(isVisible);
}

/** A snapshot that does not see this transaction, and otherwise sees the same. */
export function without(snapshot: Snapshot, transaction: bigint): Snapshot {
  if (!visibleIn(snapshot)(transaction)) return snapshot;
  const { xmin, xmax, running } = parse(snapshot);
  const all = [...running, transaction].sort((a, b) => (a < b ? -1 : 1));
  return `${transaction < xmin ? transaction : xmin}:${xmax}:${all.join(',')}`;
}

function parse(snapshot: Snapshot): Bounds {
  const [xmin, xmax, running = ''] = snapshot.split(':');
  if (xmin === undefined || xmax === undefined) throw new Error(`Not a snapshot: ${snapshot}`);
  const list = running === '' ? [] : running.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: new Set(list) };
}
