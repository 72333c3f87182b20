import type { Log } from '../../common/log.js';
import { FairWork } from '../../shares/fair-work.js';
import type { BroadcastChangeWork } from './ports.js';

/** Messages of a transaction: what waits for one of them does not wait long. */
const CHUNK = 50;
/** Changes under way at once in this process. */
const CHANGES_AT_ONCE = 2;
/** Reminders that are kept here; the sweeper finds what is beyond them. */
const MAX_WAITING = 1_000;
/** A step ends soon, and another process does the next one. */
const STOP_GRACE_MS = 0;

/** Edits and recalls what broadcasts have sent. Driven by rows: a call for a change that is not due does nothing. */
export class RunBroadcastChanges {
  readonly #work: FairWork;

  constructor(
    private readonly store: BroadcastChangeWork,
    log: Log,
  ) {
    const shares = { capacity: CHANGES_AT_ONCE, mostWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (id, err) =>
      log.error({ err, broadcast_change_id: id }, 'broadcast_change.broke'),
    );
  }

  /** Works on a change once its workspace has its turn. */
  ask(workspaceId: string, id: string): void {
    this.#work.ask(workspaceId, id, (stopping) => this.run(id, stopping));
  }

  /** Takes nothing more; resolves when what is under way has been left to other processes. */
  stop(): Promise<void> {
    return this.#work.stop(STOP_GRACE_MS);
  }

  /** Does step after step until the change waits for its platforms. Each step reminds of the next one. */
  async run(id: string, stopping: AbortSignal): Promise<void> {
    if (!(await this.store.claim(id))) return;
    while ((await this.store.step(id, CHUNK)) === 'goes_on') {
      if (stopping.aborted) return this.store.release(id);
    }
  }
}
