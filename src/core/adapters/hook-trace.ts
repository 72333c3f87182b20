import { AsyncLocalStorage } from 'node:async_hooks';

/** All parts of an adapter that the bridge calls. `import` is the loading of its package. */
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
  | 'billing'
  | 'normalize';

/** One call of a hook. `adapter` is the package name, or the platform of a bundled adapter. */
export interface HookCall {
  readonly adapter: string;
  readonly hook: HookName;
  readonly connectionId?: string;
}

/** Records which hook the thread executes, so that another thread can name it when the hook never returns. */
export interface HookMarker {
  /** Returns the previous mark, which `leave` restores. */
  enter(call: HookCall): number;
  leave(before: number): void;
  /** The adapter whose code is in the stack of an error. */
  adapterOf(error: unknown): string | undefined;
}

/**
 * First version of Node in which tracking asynchronous work is free. Earlier versions slow down every promise of the
 * process.
 */
const FOLLOWS_FROM_NODE = 24;

/**
 * Determines which adapter the running code belongs to. Where Node can track it, asynchronous work that a hook starts,
 * such as a timer or a socket, also belongs to the adapter. Work that the bridge does on behalf of an adapter does not.
 */
export class HookTrace {
  readonly #followed: AsyncLocalStorage<HookCall | undefined> | undefined;
  /** The hook whose synchronous part is running. */
  #running: HookCall | undefined;
  #marker: HookMarker | undefined;

  constructor(follows = Number.parseInt(process.versions.node, 10) >= FOLLOWS_FROM_NODE) {
    this.#followed = follows ? new AsyncLocalStorage() : undefined;
  }

  /** The running hook, or the hook that started the running code. */
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

  /** Runs code of the bridge on behalf of an adapter. Work that it starts belongs to no adapter. */
  outside<Result>(code: () => Result): Result {
    const outer = this.#running;
    this.#running = undefined;
    try {
      return this.#followed === undefined ? code() : this.#followed.run(undefined, code);
    } finally {
      this.#running = outer;
    }
  }

  /** The adapter that raised an uncaught error, if it can be determined. */
  adapterOf(error: unknown): string | undefined {
    return this.current()?.adapter ?? this.#marker?.adapterOf(error);
  }

  mark(marker: HookMarker | undefined): void {
    this.#marker = marker;
  }
}

/** The trace of this process. */
export const hookTrace = new HookTrace();
