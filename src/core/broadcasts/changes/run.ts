import type { Log } from '../../common/log.js';
import { FairWork } from '../../shares/fair-work.js';
import type { BroadcastChangeWork } from './ports.js';

/** Messages per transaction. Small, so that transactions that wait for one of these messages do not wait long. */
const CHUNK = 50;
/** Changes that run at once in this process. */
const CHANGES_AT_ONCE = 2;
/** Maximum number of reminders kept in this process. The sweeper finds the changes of the others. */
const MAX_WAITING = 1_000;
/** A step is short, and another process runs the next one. */
const STOP_GRACE_MS = 0;

/** Edits and recalls messages of broadcasts. All state is in rows: a call for a change that is not due does nothing. */
export class RunBroadcastChanges {
  readonly #work: FairWork;

  constructor(
    private readonly store: BroadcastChangeWork,
    log: Log,
  ) {
    const shares = { capacity: CHANGES_AT_ONCE, maxWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (id, err) =>
      log.error({ err, broadcast_change_id: id }, 'broadcast_change.run_failed'),
    );
  }

  /** Queues a change. It runs when the fair share of its workspace allows it. */
  ask(workspaceId: string, id: string): void {
    this.#work.ask(workspaceId, id, (stopping) => this.run(id, stopping));
  }

  /** Accepts no further changes. Resolves when the changes in progress have been released to other processes. */
  stop(): Promise<void> {
    return this.#work.stop(STOP_GRACE_MS);
  }

  /** Runs steps until the change waits for its platforms. Each step stores a reminder for the next one. */
  async run(id: string, stopping: AbortSignal): Promise<void> {
    if (!(await this.store.claim(id))) return;
    while ((await this.store.step(id, CHUNK)) === 'continue') {
      if (stopping.aborted) return this.store.release(id);
    }
  }
}
