import type { Log } from '../common/log.js';
import type { ApiKeyLookup } from './api-key-lookup.js';

const FLUSH_MS = 5_000;

/** Collects when keys were used and writes the times in batches: a busy key costs one row update per batch. */
export class LastUsed {
  private uses = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: Pick<ApiKeyLookup, 'markUsed'>,
    private readonly log: Log,
    private readonly everyMs = FLUSH_MS,
  ) {}

  note(keyId: string, at: number): void {
    this.uses.set(keyId, new Date(at));
    this.timer ??= setTimeout(() => void this.flush(), this.everyMs).unref();
  }

  /** Writes the collected times. A failure is logged and the times are dropped, because they are informational only. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.uses.size === 0) return;
    const uses = this.uses;
    this.uses = new Map();
    try {
      await this.keys.markUsed(uses);
    } catch (error) {
      this.log.warn({ err: error, keys: uses.size }, 'key_usage.write_failed');
    }
  }
}
