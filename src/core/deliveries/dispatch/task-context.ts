import type { SendingConnection } from '../ports.js';
import type { DeliveryTask, TaskResult } from '../task.js';
import type { ConnectionRun } from './connection-run.js';
import type { LaneLease } from './lane-lease.js';

/** `tookMs`: the duration of the platform's calls; absent without a write. */
export interface TaskOutcome {
  readonly result: TaskResult;
  readonly startedAt: number;
  readonly tookMs?: number;
}

/** Shared by tasks that were leased together. */
export interface RunContext {
  readonly connectionId: string;
  readonly connection: SendingConnection;
  readonly signal: AbortSignal;
  readonly round: ConnectionRun;
}

/** A leased task. */
export interface TaskContext extends RunContext {
  readonly task: DeliveryTask;
  readonly lease: LaneLease;
  readonly first: () => void;
}

/** Calls `act` at the first call only. */
export function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
