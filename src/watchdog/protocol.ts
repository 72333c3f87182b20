import type { HookCall } from '../core/adapters/hook-trace.js';
import type { AdapterRoot } from './adapter-roots.js';
import type { HeapLimits } from './old-generation.js';

/** Indexes of the values that both threads share. */
export const SHARED = { beats: 0, hook: 1, oldGenerationKib: 2, length: 3 } as const;
export const BEAT_MS = 250;

export interface WatchedProcess {
  readonly shared: SharedArrayBuffer;
  readonly file: string;
  /** The folder of this program, with a separator at its end. */
  readonly home: string;
  /** The roles of the service, as its log lines name them. */
  readonly role: string;
  /** The file of the log; standard output if absent. */
  readonly logFile: string | undefined;
  /** Whether a blocked process may be ended. False under a debugger, which may pause the process. */
  readonly mayEnd: boolean;
  readonly suspectMs: number;
  readonly endMs: number;
  readonly heap: HeapLimits;
}

/** Messages from the main thread to the watchdog thread: the calls of hook numbers, and the locations of adapters. */
export type WatchdogNews =
  | { readonly hook: number; readonly call: HookCall }
  | { readonly roots: readonly AdapterRoot[] };
