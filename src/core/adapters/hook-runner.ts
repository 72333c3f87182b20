import { PlatformError } from '../../contract/index.js';
import { wrongError } from '../../contract/validation/results.js';
import { isDatabaseAway } from '../common/database-away.js';
import { TooManyWaiting } from '../common/semaphore.js';
import { type HookCall, type HookName, hookTrace } from './hook-trace.js';
import type { Redactor } from './redactor.js';

/** Duration from which a synchronous hook is reported, because it blocks the whole process. */
const SLOW_SYNC_MS = 1_000;

/** Time limits of hooks that have no limit of their own. A call that exceeds its limit is reported as unavailable. */
export const HOOK_LIMITS_MS = {
  create: 10_000,
  identify: 20_000,
  checkIngress: 20_000,
  start: 60_000,
  stop: 5_000,
  handle: 30_000,
  openMedia: 60_000,
  findChat: 5_000,
} as const satisfies Partial<Record<HookName, number>>;

/** Hooks that are called while connecting. */
export const CONNECTING_HOOKS: ReadonlySet<HookName> = new Set([
  'create',
  'identify',
  'checkIngress',
  'start',
]);

/** An adapter threw something other than a PlatformError, or failed where it must not fail. */
export class AdapterDefect extends Error {
  override readonly name = 'AdapterDefect';
  constructor(
    readonly adapter: string,
    readonly hook: HookName,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : 'it threw a value that is not an Error.';
    super(`The adapter ${adapter} failed in its hook ${hook}: ${reason}`.slice(0, 500), { cause });
  }
}

/** A hook that did not finish within its limit. The call is not cancelled. */
export class HookOverdue extends PlatformError {
  constructor(
    readonly adapter: string,
    readonly hook: HookName,
    limitMs: number,
  ) {
    super(
      { kind: 'unavailable', cause: 'network' },
      {
        dispatched: 'unknown',
        message: `The adapter ${adapter} did not respond within ${limitMs / 1_000} s in its hook ${hook}.`,
        fix: 'Check that the platform can be reached. If it can, report this to the author of the adapter.',
      },
    );
  }
}

/** Reports to a connection about the hooks of its adapter. */
export interface HookObserver {
  /** A hook hung, blocked the process or failed without a PlatformError. */
  trouble(hook: HookName, message: string): void;
  /** A hook ended normally. */
  fine(hook: HookName): void;
}

export interface HookOwner {
  readonly adapter: string;
  readonly connectionId?: string;
  readonly redactor: Redactor;
  readonly observer?: HookObserver;
}

/** Calls the hooks of one adapter. Calls are traced and limited, and secrets are removed from errors. */
export class HookRunner {
  /** Limit timers of hooks that were called to connect. */
  readonly #limits = new Set<NodeJS.Timeout>();
  readonly #calls = new Map<HookName, HookCall>();

  constructor(private readonly owner: HookOwner) {}

  /** Stops the limit timers of connecting hooks. Called when the connection is closed. */
  release(): void {
    for (const timer of this.#limits) clearTimeout(timer);
    this.#limits.clear();
  }

  /** Calls a synchronous hook. A PlatformError is rethrown; anything else becomes an AdapterDefect. */
  sync<Result>(hook: HookName, call: () => Result): Result {
    const startedAt = performance.now();
    try {
      const result = this.#traced(hook, call);
      this.#measure(hook, performance.now() - startedAt);
      return result;
    } catch (cause) {
      const clean = this.#cleaned(cause);
      if (clean instanceof PlatformError) throw clean;
      throw this.#defect(hook, clean);
    }
  }

  /**
   * Calls a hook that communicates with the platform. Its limit is in `HOOK_LIMITS_MS`; other hooks end by their signal. A
   * PlatformError is rethrown; anything else becomes an AdapterDefect, unless the signal has ended the call.
   */
  async async<Result>(hook: HookName, call: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const limitMs = (HOOK_LIMITS_MS as Partial<Record<HookName, number>>)[hook];
    try {
      const running = this.#started(hook, call);
      const result = await (limitMs === undefined ? running : this.#within(hook, limitMs, running));
      this.owner.observer?.fine(hook);
      return result;
    } catch (cause) {
      const clean = this.#cleaned(cause);
      // An outage of the database and an overload of the bridge are not faults of the adapter.
      const isExcused = isDatabaseAway(clean) || cause instanceof TooManyWaiting || signal?.aborted === true;
      if (clean instanceof PlatformError || isExcused) throw clean;
      throw this.#defect(hook, clean);
    }
  }

  /** The error without secrets. A PlatformError with a wrong field is no PlatformError, so that nothing is derived from it. */
  #cleaned(cause: unknown): unknown {
    const clean = this.owner.redactor.error(cause);
    const wrong = clean instanceof PlatformError ? wrongError(clean) : undefined;
    return wrong === undefined ? clean : new TypeError(`Its PlatformError has a wrong or missing ${wrong}.`);
  }

  /** Reports a result that is ignored because it is wrong. */
  ignored(hook: HookName, reason: string): void {
    this.#defect(hook, new TypeError(reason));
  }

  /** Reports that an aborted call is still running. */
  overdue(hook: HookName): void {
    this.owner.observer?.trouble(
      hook,
      `The adapter ${this.owner.adapter} does not end calls that took too long in its hook ${hook}.`,
    );
  }

  async #started<Result>(hook: HookName, call: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const running = this.#traced(hook, call);
    this.#blocked(hook, performance.now() - startedAt);
    return running;
  }

  #traced<Result>(hook: HookName, call: () => Result): Result {
    return hookTrace.run(this.#callOf(hook), call);
  }

  /** Returns one object per hook, which identifies the hook in the trace. */
  #callOf(hook: HookName): HookCall {
    const known = this.#calls.get(hook);
    if (known !== undefined) return known;
    const { adapter, connectionId } = this.owner;
    const call = connectionId === undefined ? { adapter, hook } : { adapter, hook, connectionId };
    this.#calls.set(hook, call);
    return call;
  }

  async #within<Result>(hook: HookName, limitMs: number, running: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const overdue = new HookOverdue(this.owner.adapter, hook, limitMs);
        this.owner.observer?.trouble(hook, overdue.message);
        reject(overdue);
      }, limitMs);
      if (CONNECTING_HOOKS.has(hook)) this.#limits.add(timer);
    });
    try {
      return await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
      if (timer !== undefined) this.#limits.delete(timer);
    }
  }

  #measure(hook: HookName, tookMs: number): void {
    if (!this.#blocked(hook, tookMs)) this.owner.observer?.fine(hook);
  }

  #blocked(hook: HookName, tookMs: number): boolean {
    if (tookMs < SLOW_SYNC_MS) return false;
    const { adapter, observer } = this.owner;
    observer?.trouble(
      hook,
      `The adapter ${adapter} blocked the process for ${Math.round(tookMs)} ms in its hook ${hook}.`,
    );
    return true;
  }

  #defect(hook: HookName, cause: unknown): AdapterDefect {
    const defect = new AdapterDefect(this.owner.adapter, hook, cause);
    this.owner.observer?.trouble(hook, defect.message);
    return defect;
  }
}
