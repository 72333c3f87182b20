import type { SendingConnection } from '../ports.js';
import type { DeliveryTask, TaskResult } from '../task.js';
import type { Round } from './connection-run.js';
import type { Lease } from './lane-lease.js';

/** `tookMs` is what the platform took; absent where it was not asked to write. */
export interface Done {
  readonly result: TaskResult;
  readonly startedAt: number;
  readonly tookMs?: number;
}

/** What tasks that were leased together share. */
export interface CommonAct {
  readonly connectionId: string;
  readonly connection: SendingConnection;
  readonly signal: AbortSignal;
  readonly round: Round;
}

/** One task in the hands of a worker. */
export interface Act extends CommonAct {
  readonly task: DeliveryTask;
  readonly lease: Lease;
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
