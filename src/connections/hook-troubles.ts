import type { HealthReport } from '../contract/index.js';
import { CONNECTING_HOOKS, type HookObserver } from '../core/adapters/hook-runner.js';
import type { HookName } from '../core/adapters/hook-trace.js';
import type { Log } from '../core/common/log.js';

/** Minimum interval between log lines about the same failing hook. */
const LOG_EVERY_MS = 60_000;

/** Reports hooks that hang, block or fail as health of their connection, until each of them has succeeded again. */
export class HookTroubles implements HookObserver {
  readonly #troubled = new Set<HookName>();
  readonly #loggedAt = new Map<HookName, number>();

  constructor(
    private readonly report: (report: HealthReport) => void,
    private readonly log: Log,
    private readonly fields: { readonly connection_id: string; readonly platform: string },
  ) {}

  trouble(hook: HookName, message: string): void {
    this.#note(hook, message);
    // The code that connects or stops the adapter reports these.
    if (CONNECTING_HOOKS.has(hook) || hook === 'stop') return;
    this.#troubled.add(hook);
    const fix = 'If this goes on, report it to the author of the adapter.';
    this.report({ code: 'transient', message, fix });
  }

  fine(hook: HookName): void {
    if (this.#troubled.size === 0 || !this.#troubled.delete(hook) || this.#troubled.size > 0) return;
    this.report({ code: 'ok', message: 'Connected.' });
  }

  #note(hook: HookName, reason: string): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(hook) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
    this.#loggedAt.set(hook, now);
    this.log.warn({ ...this.fields, hook, reason }, 'adapter.hook_failed');
  }
}
