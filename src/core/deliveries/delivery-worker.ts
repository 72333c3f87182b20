import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clock } from '../../contract/clock.js';
import type { Log } from '../common/log.js';
import { Stopwatch } from '../common/stopwatch.js';
import type { Rates } from '../rates/rates.js';
import { AccountPauses, PATIENCE_MS } from './dispatch/account-pauses.js';
import { AttemptOpener } from './dispatch/attempt-opener.js';
import { ConnectionRun } from './dispatch/connection-run.js';
import { LaneLease } from './dispatch/lane-lease.js';
import { inFlightOf, openAheadOf, wanted } from './dispatch/lease-sizes.js';
import { LocalCapacity } from './dispatch/local-capacity.js';
import { type Leased, LocalHandoff } from './dispatch/local-handoff.js';
import { mayBegin } from './dispatch/may-begin.js';
import { PreSendCheck } from './dispatch/pre-send-check.js';
import { ResultBatcher } from './dispatch/result-batcher.js';
import { once, type RunContext, type TaskContext, type TaskOutcome } from './dispatch/task-context.js';
import { PlatformErrorEffects } from './platform-error-effects.js';
import {
  type DeliveryStore,
  noJournal,
  type SendingConnection,
  type SendingConnections,
  type WakeUps,
  type WriteJournal,
} from './ports.js';
import { reconcile } from './reconcile.js';
import { runTask } from './send/run-task.js';
import { WriteGate } from './send/write-gate.js';
import { isLarge } from './send/write-limit.js';
import { attemptLine, finishedAttempt, resultOf, untouched } from './task-result.js';
import { noopTelemetry, type Telemetry } from './telemetry.js';

/**
 * Sends what is due on a connection: leases lanes, writes to the platform, and records results. Any number of workers may run for the
 * same connection, because each lane has one lease.
 */
export class DeliveryWorker {
  readonly capacity: LocalCapacity;
  readonly errorEffects: PlatformErrorEffects;
  readonly #results: ResultBatcher;
  readonly #running = new Map<string, ConnectionRun>();
  readonly #handoff = new LocalHandoff();
  readonly #pauses: AccountPauses;
  /** The times of the queue jobs that were requested for chats without room. */
  readonly #remindedAt = new Map<string, number>();
  #stopping = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly connections: SendingConnections,
    private readonly wakeUps: WakeUps,
    private readonly rates: Rates,
    private readonly log: Log,
    private readonly telemetry: Telemetry = noopTelemetry,
    private readonly journal: WriteJournal = noJournal,
  ) {
    this.#results = new ResultBatcher(store);
    this.#pauses = new AccountPauses(wakeUps);
    this.capacity = new LocalCapacity(this.#running, connections, this.#pauses, this.#handoff);
    this.errorEffects = new PlatformErrorEffects({
      store,
      connections,
      wakeUps,
      rates,
      pauses: this.#pauses,
      log,
    });
  }

  /** Whether a run of the connection is in progress. Another call then only notifies it. */
  isRunning(connectionId: string): boolean {
    return this.#running.has(connectionId);
  }

  /** Leases nothing more. Writes in progress are finished and recorded. Waiting tasks are released. */
  stop(): void {
    this.#stopping = true;
    this.capacity.close();
    this.rates.release();
  }

  /** Adds tasks that were leased when they were stored. False: no run is in progress, so one has to be started. */
  enqueueLeased(connectionId: string, leased: Leased): boolean {
    this.#handoff.add(connectionId, leased);
    const current = this.#running.get(connectionId);
    current?.wake();
    return current !== undefined;
  }

  /** Releases handed-over tasks that have not begun. They are due again immediately, and no attempt is counted. */
  async releaseHandoff(connectionId: string): Promise<void> {
    const tasks = this.#handoff.takeAll(connectionId).flatMap((leased) => leased.tasks);
    const back = tasks.map((task) => this.#results.add(untouched(task)));
    await Promise.all(back).catch((err: unknown) => {
      this.log.error({ err, connection_id: connectionId }, 'attempt.lost');
    });
  }

  /** Reports work in lanes of these links. False: a claim is needed. Otherwise the run holds the lanes and claims when it frees them. */
  expect(connectionId: string, links: readonly string[]): boolean {
    const current = this.#running.get(connectionId);
    if (current === undefined || !links.every((link) => current.lanes.has(link))) return false;
    current.expect();
    return true;
  }

  /** Resolves when nothing more is due. A call during a run makes that run claim once more. */
  async run(connectionId: string, signal: AbortSignal): Promise<void> {
    const current = this.#running.get(connectionId);
    if (current !== undefined) current.remind();
    else await this.#run(connectionId, signal, true);
  }

  /** The same for handed-over tasks, without a claim for more. */
  async runHanded(connectionId: string, signal: AbortSignal): Promise<void> {
    const current = this.#running.get(connectionId);
    if (current !== undefined) current.wake();
    else await this.#run(connectionId, signal, false);
  }

  async #run(connectionId: string, signal: AbortSignal, isReminder: boolean): Promise<void> {
    this.#handoff.note(connectionId);
    const account = this.connections.find(connectionId)?.account ?? null;
    const round = new ConnectionRun(
      inFlightOf(account),
      new PreSendCheck(this.store),
      new AttemptOpener(this.store, openAheadOf(account)),
      isReminder,
    );
    this.#running.set(connectionId, round);
    try {
      while ((round.again || this.#handoff.has(connectionId)) && !signal.aborted && !this.#stopping) {
        round.again = false;
        await this.#drain(connectionId, signal, round);
      }
    } finally {
      this.#running.delete(connectionId);
      await this.releaseHandoff(connectionId);
    }
  }

  async #drain(connectionId: string, signal: AbortSignal, round: ConnectionRun): Promise<void> {
    // Each write in progress listens to it.
    setMaxListeners(0, signal);
    try {
      await this.#lease(connectionId, signal, round);
    } finally {
      // Also after a failed claim: the next run has all slots, and writes in progress here would exceed them.
      await round.all();
    }
  }

  /** Leases and begins tasks until nothing more is due. */
  async #lease(connectionId: string, signal: AbortSignal, round: ConnectionRun): Promise<void> {
    while (!signal.aborted && !this.#stopping) {
      const connection = this.connections.find(connectionId);
      if (connection === undefined) {
        await this.releaseHandoff(connectionId);
        break;
      }
      const begin = (leased: Leased) => this.#begin(leased, { connectionId, connection, signal, round });
      for (const leased of this.#takeUp(connectionId, round)) begin(leased);
      if (await this.#pauses.holdsBack(connectionId, connection, signal)) break;
      const { ended } = round;
      const leased = await this.#claim(connectionId, connection, round);
      begin(leased);
      if (leased.tasks.length > 0 || this.#handoff.has(connectionId)) continue;
      // Tasks that ended during the claim freed their lanes too late for it.
      if (round.ended > ended) continue;
      if (round.underWay > 0) {
        // New work ends the wait as well, so that a chat that hangs does not delay others.
        await round.change(this.rates.knownLook(connectionId));
        // Results of one batch free their slots together.
        await nextTurn();
      } else if (!(await this.#awaitHeld(connectionId, round))) break;
    }
  }

  #begin({ tasks, askedAt }: Leased, common: RunContext): void {
    const { round } = common;
    for (const task of tasks) {
      const lease = new LaneLease(task, this.store, askedAt);
      round.follow(this.#perform({ ...common, task, lease, first: once(() => round.began()) }));
    }
  }

  #takeUp(connectionId: string, round: ConnectionRun): readonly Leased[] {
    const handed = this.#handoff.takeAll(connectionId);
    for (const { tasks, askedAt } of handed) round.took(tasks, clock.now() - askedAt.passedMs);
    return handed;
  }

  async #claim(connectionId: string, connection: SendingConnection, round: ConnectionRun): Promise<Leased> {
    const askedAt = new Stopwatch();
    const { most, urgent } = wanted(round, connection.account);
    round.reminded = false;
    round.again = false;
    if (most <= 0 || !round.due) return { tasks: [], askedAt };
    const claimedAt = clock.now();
    const tasks = await round.looking(() =>
      this.store.claim(connectionId, most, { urgent, atOnce: round.openings.atOnce(round.slots.free) }),
    );
    if (tasks.length >= most || urgent) round.due = true;
    round.took(tasks, claimedAt);
    return { tasks, askedAt };
  }

  /** Waits for a chat without room. False: no chat has waiting work. */
  async #awaitHeld(connectionId: string, round: ConnectionRun): Promise<boolean> {
    // A run that has not claimed anything knows all chats it left without room.
    const waitMs =
      round.lookedAt > 0 ? await this.rates.nextLook(connectionId) : this.rates.knownLook(connectionId);
    if (waitMs === undefined) return round.reminded;
    if (waitMs > PATIENCE_MS) {
      const at = clock.now() + waitMs;
      if (Math.abs(at - (this.#remindedAt.get(connectionId) ?? 0)) > PATIENCE_MS) {
        this.#remindedAt.set(connectionId, at);
        await this.wakeUps.wakeConnection(connectionId, new Date(at));
      }
      return round.reminded;
    }
    if (!this.#handoff.has(connectionId)) await round.change(Math.max(0, waitMs));
    return true;
  }

  async #perform(act: TaskContext): Promise<void> {
    const { task, lease, connectionId, connection, round, first } = act;
    const claimedAt = clock.now();
    try {
      const slots = isLarge(task) ? round.uploads : round.slots;
      const hasSlot = await lease.awaitSlot(slots).catch(() => undefined);
      if (hasSlot === false) return;
      // Without a known lease nothing was written.
      const back = { result: untouched(task), startedAt: claimedAt, tookMs: undefined };
      const done = hasSlot ? await this.#act(act).finally(() => slots.release()) : back;
      if (done === undefined) return;
      const { startedAt, more } = await this.#results.add(done.result, round.slots.areUsed);
      if (task.attempt_id !== null) this.journal.end(task.attempt_id);
      round.recorded(startedAt, more);
      if (done.tookMs === undefined) return;
      const times = { claimedAt, startedAt: done.startedAt, tookMs: done.tookMs };
      const attempt = finishedAttempt(task, done.result, connection.platform, times);
      this.telemetry.attemptFinished(attempt);
      this.log.info(attemptLine(attempt, done.result.error, connectionId), 'attempt.finished');
    } catch (err) {
      // The result could not be recorded. The lease ends, and the delivery becomes uncertain.
      this.log.error({ err, delivery_id: task.delivery_id, connection_id: connectionId }, 'attempt.lost');
    } finally {
      round.look.forget(task.delivery_id);
      round.openings.forget(task);
      first();
      round.end(task.link.id);
    }
  }

  /** Carries out the task. Undefined when another worker has the lane, so that nothing may be recorded. */
  async #act(act: TaskContext): Promise<TaskOutcome | undefined> {
    const { task, lease, connectionId, connection, signal, round, first } = act;
    const startedAt = clock.now();
    const pauseMs = () =>
      this.#stopping || signal.aborted ? undefined : this.errorEffects.pauseMs({ connectionId, connection });
    const gate = new WriteGate({
      connectionId,
      connection,
      task,
      lease,
      rates: this.rates,
      pauseMs,
      mayBegin: () => mayBegin(task, round, this.log),
      onFirst: first,
      journal: this.journal,
    });
    if (task.operation === 'reconcile') {
      const notice = async (cause: unknown) => {
        if (!gate.heldBack) await this.errorEffects.take(cause, { connectionId, connection }, task);
      };
      const result = await reconcile(task, connection, this.store, { gate, notice });
      return result && { result, startedAt };
    }
    // The sweeper wakes the connection again. The next process with the connection sends it.
    if (pauseMs() === undefined) return { result: untouched(task), startedAt };
    const run = await runTask(task, connection, this.store, signal, gate);
    if (gate.withheld) return { result: untouched(task), startedAt };
    const tookMs = gate.writeMs ?? 0;
    if (gate.writeMs !== undefined) round.writeMs = gate.writeMs;
    if (run.fenced) return undefined;
    if (run.failure !== undefined && !gate.heldBack) {
      await this.errorEffects.take(run.failure.cause, { connectionId, connection }, task, gate);
    }
    const result = resultOf(task, connection, run, clock.date(), Math.random());
    return { result, startedAt: clock.now() - tookMs, tookMs };
  }
}
