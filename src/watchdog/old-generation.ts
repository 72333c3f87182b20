import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { resourceLimits } from 'node:worker_threads';
import { nodeOptions } from '../environment.js';

const MIB = 1_048_576;
/** V8 keeps two semi-spaces and counts the young generation as three of them. */
const SEMI_SPACES = 3;
const YOUNG_SPACES: ReadonlySet<string> = new Set(['new_space', 'new_large_object_space']);

/** The heap limits that the main thread knows, in bytes. */
export interface HeapLimits {
  /** Old and young generation together. */
  readonly whole: number;
  /** The young generation, if an option sets its size. */
  readonly young?: number;
}

/**
 * A process ends when its old generation is full. The limit that V8 reports includes the young generation, which may be almost as
 * large: 192 MiB on Node 24, also when `--max-old-space-size` is 256.
 */
export function heapLimits(options: readonly string[] = nodeOptions()): HeapLimits {
  const whole = getHeapStatistics().heap_size_limit;
  const semiSpace = /--max[-_]semi[-_]space[-_]size[= ](\d{1,6})/.exec(options.join(' '))?.[1];
  return semiSpace === undefined ? { whole } : { whole, young: SEMI_SPACES * Number(semiSpace) * MIB };
}

/** The limit of the main thread's old generation in bytes. Called in a worker, which knows the default young generation size. */
export function oldGenerationLimit({ whole, young }: HeapLimits): number {
  return whole - (young ?? (resourceLimits.maxYoungGenerationSizeMb ?? 0) * MIB);
}

/** The used bytes of this thread's old generation. */
export function oldGenerationUsed(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => !YOUNG_SPACES.has(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
