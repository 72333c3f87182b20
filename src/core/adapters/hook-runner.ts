import { PlatformError } from '../../contract/index.js';
import { isDatabaseAway } from '../common/database-away.js';
import { type HookCall, type HookName, hookTrace } from './hook-trace.js';
import type { Redactor } from './redactor.js';

/** A synchronous hook that takes longer holds up the whole process. */
const SLOW_SYNC_MS = 1_000;

/** Limits of hooks that have none of their own. Calls of the platform beyond them count as lost. */
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

/** An attempt to connect ends with them. */
export const CONNECTING_HOOKS: ReadonlySet<HookName> = new Set([
  'create',
  'identify',
  'checkIngress',
  'start',
]);

/** An adapter raised something else than a PlatformError, or failed where nothing may fail. */
export class AdapterDefect extends Error {
  override readonly name = 'AdapterDefect';
  constructor(
    readonly adapter: string,
    readonly hook: HookName,
    cause: unknown,
  ) {
    const said = cause instanceof Error ? cause.message : 'it raised no error.';
    super(`The adapter ${adapter} failed in its hook ${hook}: ${said}`.slice(0, 500), { cause });
  }
}

/** A hook that was not over within its limit. It is left to itself. */
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
        message: `The adapter ${adapter} did not answer within ${limitMs / 1_000} s in its hook ${hook}.`,
        fix: 'Check that the platform can be reached. If it can, report this to the author of the adapter.',
      },
    );
  }
}

/** What a connection learns about the hooks of its adapter. */
export interface HookObserver {
  /** A hook hung, blocked the process or failed without a PlatformError. */
  trouble(hook: HookName, message: string): void;
  /** A hook ended as it should. */
  fine(hook: HookName): void;
}

export interface HookOwner {
  readonly adapter: string;
  readonly connectionId?: string;
  readonly redactor: Redactor;
  readonly observer?: HookObserver;
}

/** Calls the hooks of one adapter: traced, within their limits, and with errors that hold no secret. */
export class HookRunner {
  /** Limits of hooks that were called to connect. */
  readonly #limits = new Set<NodeJS.Timeout>();
  readonly #calls = new Map<HookName, HookCall>();

  constructor(private readonly owner: HookOwner) {}

  /** The connection is over: it is not waited for hooks that were to connect it. */
  release(): void {
    for (const timer of this.#limits) clearTimeout(timer);
    this.#limits.clear();
  }

  /** A hook that answers at once. Raises PlatformError as it is, anything else as AdapterDefect. */
  sync<Result>(hook: HookName, call: () => Result): Result {
    const startedAt = performance.now();
    try {
      const result = this.#traced(hook, call);
      this.#measure(hook, performance.now() - startedAt);
      return result;
    } catch (cause) {
      const clean = this.owner.redactor.error(cause);
      if (clean instanceof PlatformError) throw clean;
      throw this.#defect(hook, clean);
    }
  }

  /** A hook of which anything but a PlatformError is a defect, such as one that is called while the connection is made. */
  async whole<Result>(hook: HookName, call: () => Promise<Result>): Promise<Result> {
    try {
      return await this.async(hook, call);
    } catch (cause) {
      // What the database could not do is no fault of the adapter.
      if (cause instanceof PlatformError || isDatabaseAway(cause)) throw cause;
      throw this.#defect(hook, cause);
    }
  }

  /** A hook that works with the platform. Its limit is that of `HOOK_LIMITS_MS`; others end by their signal. */
  async async<Result>(hook: HookName, call: () => Promise<Result>): Promise<Result> {
    const limitMs = (HOOK_LIMITS_MS as Partial<Record<HookName, number>>)[hook];
    try {
      const running = this.#started(hook, call);
      const result = await (limitMs === undefined ? running : this.#within(hook, limitMs, running));
      this.owner.observer?.fine(hook);
      return result;
    } catch (cause) {
      throw this.owner.redactor.error(cause);
    }
  }

  /** Tells when a call that was aborted goes on all the same. */
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

  /** One object per hook, which identifies it. */
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
