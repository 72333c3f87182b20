import { url as inspectorUrl } from 'node:inspector';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type HookCall, type HookMarker, hookTrace } from '../core/adapters/hook-trace.js';
import type { Log } from '../core/common/log.js';
import { AdapterEnds, ENDS_FILE } from './adapter-ends.js';
import { type AdapterRoot, adapterIn } from './adapter-roots.js';
import { watchDeaths } from './deaths.js';
import { lineWriter, type WriteLine } from './log-line.js';
import { heapLimits, oldGenerationUsed } from './old-generation.js';
import { BEAT_MS, SHARED, type WatchdogNews, type WatchedProcess } from './protocol.js';

const SUSPECT_MS = 2_000;
const END_MS = 30_000;
const HARMLESS_AFTER_MS = 3_600_000;
/** The worker needs little memory. */
const WORKER_MB = 64;
const MAX_HOOKS = 100_000;

/** The folder of this program. */
export const HOME = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]?$/, sep);

export interface WatchdogOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** The file of the log; standard output if absent. */
  readonly logFile: string | undefined;
  /** The roles of the service, as its log lines name them. */
  readonly role: string;
}

/**
 * Identifies the adapter that blocks the process, exits it or fills its memory, even if the main thread cannot report it any
 * more. A separate thread watches the heartbeat of the main thread and its current hook.
 */
export class Watchdog implements HookMarker {
  readonly ends: AdapterEnds;
  readonly #state = new Int32Array(new SharedArrayBuffer(4 * SHARED.length));
  readonly #hooks = new Map<string, number>();
  readonly #numbers = new WeakMap<HookCall, number>();
  readonly #worker: Worker;
  readonly #timers: readonly NodeJS.Timeout[];
  #roots: readonly AdapterRoot[] = [];
  readonly #onExit = () => this.#exited();
  readonly #unwatch: () => void;
  readonly #writeLine: WriteLine;

  constructor({ dataDir, log, logFile, role }: WatchdogOptions) {
    this.#writeLine = lineWriter(role, logFile);
    const file = join(dataDir, ENDS_FILE);
    this.ends = new AdapterEnds(file, (err) => log.warn({ err }, 'adapter_ends.unusable'));
    this.ends.confirmSuspects();
    const watched: WatchedProcess = {
      shared: this.#state.buffer as SharedArrayBuffer,
      file,
      home: HOME,
      role,
      logFile,
      mayEnd: inspectorUrl() === undefined,
      suspectMs: SUSPECT_MS,
      endMs: END_MS,
      heap: heapLimits(),
    };
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: watched,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MB },
    });
    this.#worker.on('error', (err) => log.warn({ err }, 'watchdog.failed'));
    this.#worker.unref();
    this.#timers = [
      setInterval(() => this.#beat(), BEAT_MS).unref(),
      setTimeout(() => this.ends.forgetHarmless(), HARMLESS_AFTER_MS).unref(),
    ];
    hookTrace.mark(this);
    process.on('exit', this.#onExit);
    this.#unwatch = watchDeaths(() => this.#exited());
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    hookTrace.mark(undefined);
    process.off('exit', this.#onExit);
    this.#unwatch();
    await this.#worker.terminate();
  }

  /** Sets the locations of adapters from packages. */
  locate(roots: readonly AdapterRoot[]): void {
    const named = new Map([...this.#roots, ...roots].map((root) => [root.path, root]));
    this.#roots = [...named.values()];
    this.#tell({ roots: this.#roots });
  }

  adapterOf(error: unknown): string | undefined {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    return adapterIn(stack.split('\n'), this.#roots, HOME);
  }

  enter(call: HookCall): number {
    return Atomics.exchange(this.#state, SHARED.hook, this.#numberOf(call));
  }

  leave(before: number): void {
    Atomics.store(this.#state, SHARED.hook, before);
  }

  /** The number of a hook of a connection. The watchdog thread gets the call of the number before its first use. */
  #numberOf(call: HookCall): number {
    const known = this.#numbers.get(call);
    if (known !== undefined) return known;
    const number = this.#named(call);
    this.#numbers.set(call, number);
    return number;
  }

  #named(call: HookCall): number {
    const key = `${call.adapter} ${call.hook} ${call.connectionId ?? ''}`;
    const known = this.#hooks.get(key);
    if (known !== undefined) return known;
    if (this.#hooks.size >= MAX_HOOKS) return 0;
    const hook = this.#hooks.size + 1;
    this.#hooks.set(key, hook);
    this.#tell({ hook, call });
    return hook;
  }

  #tell(news: WatchdogNews): void {
    this.#worker.postMessage(news);
  }

  #beat(): void {
    Atomics.add(this.#state, SHARED.beats, 1);
    Atomics.store(this.#state, SHARED.oldGenerationKib, Math.floor(oldGenerationUsed() / 1_024));
  }

  /** Called when the process exits or kills itself. Records the adapter whose code is on the stack. */
  #exited(): void {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 100;
    const call = hookTrace.current();
    const adapter = hookTrace.adapterOf(new Error('The process exits.'));
    Error.stackTraceLimit = stackTraceLimit;
    if (adapter === undefined) return;
    const hook = call === undefined ? {} : { hook: call.hook };
    const connection = call?.connectionId === undefined ? {} : { connection_id: call.connectionId };
    this.ends.add(adapter, { at: new Date().toISOString(), how: 'exit', ...hook, ...connection });
    this.#writeLine('error', { adapter, ...hook, ...connection }, 'adapter.ended_process');
  }
}
