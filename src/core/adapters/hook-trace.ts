import { AsyncLocalStorage } from 'node:async_hooks';

/** Everything of an adapter that the bridge calls. `import` is the loading of its package. */
export type HookName =
  | 'import'
  | 'validate'
  | 'create'
  | 'identify'
  | 'checkIngress'
  | 'start'
  | 'stop'
  | 'handle'
  | 'decode'
  | 'capabilities'
  | 'plan'
  | 'rate'
  | 'execute'
  | 'lookup'
  | 'openDirect'
  | 'findChat'
  | 'writesToAddress'
  | 'openMedia'
  | 'billing';

/** One call of a hook. `adapter` is the package, or the platform of a bundled adapter. */
export interface HookCall {
  readonly adapter: string;
  readonly hook: HookName;
  readonly connectionId?: string;
}

/** Records which hook the thread executes, so that another thread can name it when this one never returns. */
export interface HookMarker {
  /** Answers what was marked before, which `leave` restores. */
  enter(call: HookCall): number;
  leave(before: number): void;
  /** The adapter whose code is in the stack of an error. */
  adapterOf(error: unknown): string | undefined;
}

/** From this version on following what a hook starts costs nothing. Before, it slows every promise of the process down. */
const FOLLOWS_FROM_NODE = 24;

/**
 * Knows which adapter the running code belongs to. Where Node can follow it, what a hook starts, such as a timer or a socket,
 * belongs to it as well; what the bridge does on behalf of an adapter does not.
 */
export class HookTrace {
  readonly #followed: AsyncLocalStorage<HookCall | undefined> | undefined;
  /** The hook whose synchronous part runs. */
  #running: HookCall | undefined;
  #marker: HookMarker | undefined;

  constructor(follows = Number.parseInt(process.versions.node, 10) >= FOLLOWS_FROM_NODE) {
    this.#followed = follows ? new AsyncLocalStorage() : undefined;
  }

  /** The hook that runs, or that started what runs. */
  current(): HookCall | undefined {
    return this.#running ?? this.#followed?.getStore();
  }

  run<Result>(call: HookCall, hook: () => Result): Result {
    const outer = this.#running;
    this.#running = call;
    const before = this.#marker?.enter(call) ?? 0;
    try {
      return this.#followed === undefined ? hook() : this.#followed.run(call, hook);
    } finally {
      this.#running = outer;
      this.#marker?.leave(before);
    }
  }

  /** Runs the bridge's own code for an adapter: what it starts belongs to no adapter. */
  outside<Result>(code: () => Result): Result {
    const outer = this.#running;
    this.#running = undefined;
    try {
      return this.#followed === undefined ? code() : this.#followed.run(undefined, code);
    } finally {
      this.#running = outer;
    }
  }

  /** The adapter that raised an uncaught error, as far as that can be known. */
  adapterOf(error: unknown): string | undefined {
    return this.current()?.adapter ?? this.#marker?.adapterOf(error);
  }

  mark(marker: HookMarker | undefined): void {
    this.#marker = marker;
  }
}

/** The trace of this process. */
export const hookTrace = new HookTrace();
