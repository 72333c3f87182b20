import type { HookCall } from '../core/adapters/hook-trace.js';
import type { AdapterRoot } from './adapter-roots.js';
import type { HeapLimits } from './old-generation.js';

/** What both threads share, by index. */
export const SHARED = { beats: 0, hook: 1, oldGenerationKib: 2, length: 3 } as const;
export const BEAT_MS = 250;

export interface WatchedProcess {
  readonly shared: SharedArrayBuffer;
  readonly file: string;
  /** The folder of this program, with a separator at its end. */
  readonly home: string;
  /** The roles of the service, as its log lines name them. */
  readonly role: string;
  /** A process that a debugger looks at may stand still. */
  readonly mayEnd: boolean;
  readonly suspectMs: number;
  readonly endMs: number;
  readonly heap: HeapLimits;
}

/** From the process to the thread that watches it: names for the numbers of hooks, and where adapters lie. */
export type WatchdogNews =
  | { readonly hook: number; readonly call: HookCall }
  | { readonly roots: readonly AdapterRoot[] };
