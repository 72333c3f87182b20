import { clock } from '../../../contract/clock.js';
import type { PrioritySemaphore } from '../../common/priority-semaphore.js';
import type { SendingConnection } from '../ports.js';
import { reconcile } from '../reconcile.js';
import { runTask } from '../send/run-task.js';
import { WriteGate } from '../send/write-gate.js';
import { isLarge } from '../send/write-limit.js';
import type { DeliveryTask, TaskResult } from '../task.js';
import { attemptLine, finishedAttempt, resultOf, untouched } from '../task-result.js';
import type { AttemptOpener } from './attempt-opener.js';
import type { ClaimSchedule } from './claim-schedule.js';
import type { LaneLease } from './lane-lease.js';
import type { LeasedTasks } from './leased-tasks.js';
import type { PreSendCheck } from './pre-send-check.js';
import type { DispatchServices } from './services.js';

/** The parts of a dispatcher that its tasks use. */
interface Run {
  readonly connectionId: string;
  readonly schedule: ClaimSchedule;
  readonly leased: LeasedTasks;
  readonly slots: PrioritySemaphore;
  readonly uploads: PrioritySemaphore;
  readonly preSendCheck: PreSendCheck;
  readonly opener: AttemptOpener;
  writeMs: number;
}

/** A leased task. `onFirst` is called at its first write, or at its end without one. */
interface LeasedTask {
  readonly connection: SendingConnection;
  readonly signal: AbortSignal;
  readonly task: DeliveryTask;
  readonly lease: LaneLease;
  readonly onFirst: () => void;
}

/** `tookMs`: the duration of the platform calls. Undefined without a write. */
interface Outcome {
  readonly result: TaskResult;
  readonly startedAt: number;
  readonly tookMs: number | undefined;
}

/** Runs one leased task and records its result. */
export class TaskRun {
  constructor(
    private readonly run: Run,
    private readonly services: DispatchServices,
    private readonly leased: LeasedTask,
  ) {}

  /** Never rejects. */
  async perform(): Promise<void> {
    const { run, services } = this;
    const { task, lease, onFirst } = this.leased;
    const claimedAt = clock.now();
    try {
      const slots = isLarge(task) ? run.uploads : run.slots;
      const hasSlot = await lease.awaitSlot(slots).catch(() => undefined);
      if (hasSlot === false) return;
      // Nothing is written without a known lease.
      const outcome = hasSlot
        ? await this.#carryOut().finally(() => slots.release())
        : unwritten(task, claimedAt);
      if (outcome === undefined) return;
      const { startedAt, more } = await services.results.add(outcome.result, run.slots.areUsed);
      if (task.attempt_id !== null) services.journal.end(task.attempt_id);
      run.schedule.recorded(startedAt, more);
      this.#report(outcome, claimedAt);
    } catch (err) {
      // The result could not be recorded. The lease expires, and the delivery becomes uncertain.
      const { delivery_id } = task;
      services.log.error({ err, delivery_id, connection_id: run.connectionId }, 'attempt.lost');
    } finally {
      run.preSendCheck.forget(task.delivery_id);
      run.opener.forget(task);
      onFirst();
      run.leased.finish(task.link.id);
    }
  }

  /** Undefined if another worker has the lane; then nothing may be recorded. */
  async #carryOut(): Promise<Outcome | undefined> {
    const { task, connection, signal } = this.leased;
    const startedAt = clock.now();
    const gate = this.#gate();
    if (task.operation === 'reconcile') {
      const onFailure = async (cause: unknown) => {
        if (!gate.heldBack) await this.#takeError(cause);
      };
      const result = await reconcile(task, connection, this.services.store, { gate, onFailure });
      return result && { result, startedAt, tookMs: undefined };
    }
    // The sweeper wakes the connection again. The process that has the connection then sends the task.
    if (this.#pauseMs() === undefined) return unwritten(task, startedAt);
    const done = await runTask(task, connection, this.services.store, signal, gate);
    if (gate.withheld) return unwritten(task, startedAt);
    if (gate.writeMs !== undefined) this.run.writeMs = gate.writeMs;
    if (done.fenced) return undefined;
    if (done.failure !== undefined && !gate.heldBack) await this.#takeError(done.failure.cause, gate);
    const result = resultOf(task, connection, done, clock.date(), Math.random());
    const tookMs = gate.writeMs ?? 0;
    return { result, startedAt: clock.now() - tookMs, tookMs };
  }

  #gate(): WriteGate {
    const { task, lease, connection, onFirst } = this.leased;
    const { rates, journal } = this.services;
    return new WriteGate({
      ...{ connectionId: this.run.connectionId, connection, task, lease, rates, journal, onFirst },
      pauseMs: () => this.#pauseMs(),
      mayBegin: () => this.#mayBegin(),
    });
  }

  /** Time for which the account may not be called. Undefined if this process may send nothing more on the connection. */
  #pauseMs(): number | undefined {
    const { connection, signal } = this.leased;
    if (signal.aborted || this.services.isStopping()) return undefined;
    return this.services.errorEffects.pauseMs({ connectionId: this.run.connectionId, connection });
  }

  /** Whether the first write may begin. The task may have been stopped since it was leased. */
  async #mayBegin(): Promise<boolean> {
    const { task } = this.leased;
    try {
      if (task.operation !== 'send') return true;
      // The sweeper expires the delivery.
      if (Date.parse(task.expires_at) <= clock.now()) return false;
      return (await this.run.preSendCheck.permits(task.delivery_id)) && (await this.run.opener.open(task));
    } catch (err) {
      const { delivery_id, connection_id } = task;
      this.services.log.warn({ err, delivery_id, connection_id }, 'attempt.postponed');
      return false;
    }
  }

  async #takeError(cause: unknown, gate?: WriteGate): Promise<void> {
    const { connection, task } = this.leased;
    const { connectionId } = this.run;
    await this.services.errorEffects.take(cause, { connectionId, connection }, task, gate);
  }

  #report({ result, startedAt, tookMs }: Outcome, claimedAt: number): void {
    if (tookMs === undefined) return;
    const { task, connection } = this.leased;
    const attempt = finishedAttempt(task, result, connection.platform, { claimedAt, startedAt, tookMs });
    this.services.telemetry.attemptFinished(attempt);
    this.services.log.info(attemptLine(attempt, result.error, this.run.connectionId), 'attempt.finished');
  }
}

function unwritten(task: DeliveryTask, startedAt: number): Outcome {
  return { result: untouched(task), startedAt, tookMs: undefined };
}

/** Returns a function that calls `act` only the first time. */
export function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
