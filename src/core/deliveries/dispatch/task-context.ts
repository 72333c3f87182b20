import type { SendingConnection } from '../ports.js';
import type { DeliveryTask, TaskResult } from '../task.js';
import type { ConnectionRun } from './connection-run.js';
import type { LaneLease } from './lane-lease.js';

/** `tookMs` is what the platform took; absent where it was not asked to write. */
export interface TaskOutcome {
  readonly result: TaskResult;
  readonly startedAt: number;
  readonly tookMs?: number;
}

/** What tasks that were leased together share. */
export interface RunContext {
  readonly connectionId: string;
  readonly connection: SendingConnection;
  readonly signal: AbortSignal;
  readonly round: ConnectionRun;
}

/** One task in the hands of a worker. */
export interface TaskContext extends RunContext {
  readonly task: DeliveryTask;
  readonly lease: LaneLease;
  readonly first: () => void;
}

/** Does it at the first call only. */
export function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
