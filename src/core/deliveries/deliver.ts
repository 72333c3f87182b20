import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../../contract/clock.js';
import { PlatformError } from '../../contract/index.js';
import type { DeliveryStore, SendingConnection, SendingConnections, WakeUps } from '../ports/deliveries.js';
import type { Log } from '../ports/log.js';
import { type FinishedAttempt, type Telemetry, unwatched } from '../ports/telemetry.js';
import { askedWaitMs } from '../rates/asked-wait.js';
import type { Rates } from '../rates/rates.js';
import { type Act, type Done, once } from './act.js';
import { WriteGate } from './gate.js';
import { LastLook } from './last-look.js';
import { Lease, RENEW_MS } from './lease.js';
import { IN_FLIGHT, inFlightOf, wanted } from './leases.js';
import { Openings } from './openings.js';
import { reconcile } from './reconcile.js';
import { followRefusal } from './refusal.js';
import { Round } from './round.js';
import { runTask } from './run-task.js';
import { Settlements } from './settlements.js';
import type { DeliveryTask, TaskResult } from './task.js';
import { finishedAttempt, resultOf, untouched } from './task-result.js';

export { IN_FLIGHT };

/** Longer account waits than this are left to a reminder instead of being slept through. */
const PATIENCE_MS = 2_000;

/**
 * Works through what is due on one connection: leases lanes, writes, records. Any number of reminders and workers may
 * call it for the same connection; lanes keep them apart.
 */
export class Deliver {
  readonly #settlements: Settlements;
  readonly #running = new Map<string, Round>();
  readonly #pausedUntil = new Map<string, number>();
  /** When a reminder was ordered for a chat that is held. */
  readonly #remindedAt = new Map<string, number>();
  #stopping = false;

  constructor(
    private readonly store: DeliveryStore,
    private readonly connections: SendingConnections,
    private readonly wakeUps: WakeUps,
    private readonly rates: Rates,
    private readonly log: Log,
    private readonly telemetry: Telemetry = unwatched,
  ) {
    this.#settlements = new Settlements(store);
  }

  /** Takes nothing more; what is under way is finished and recorded, what waits for its turn is handed back. */
  stop(): void {
    this.#stopping = true;
    this.rates.release();
  }

  /** Resolves when nothing more is due. A call while one runs makes that one look once more. */
  async run(connectionId: string, signal: AbortSignal): Promise<void> {
    const current = this.#running.get(connectionId);
    if (current !== undefined) {
      current.remind();
      return;
    }
    const account = this.connections.find(connectionId)?.account ?? null;
    const round = new Round(inFlightOf(account), new LastLook(this.store), new Openings(this.store));
    this.#running.set(connectionId, round);
    try {
      while (round.again && !signal.aborted && !this.#stopping) {
        round.again = false;
        await this.#drain(connectionId, signal, round);
      }
    } finally {
      this.#running.delete(connectionId);
    }
  }

  async #drain(connectionId: string, signal: AbortSignal, round: Round): Promise<void> {
    const tasks = new Set<Promise<void>>();
    // Each write under way listens to it.
    setMaxListeners(0, signal);
    round.reminded = true;
    while (!signal.aborted && !this.#stopping) {
      const connection = this.connections.find(connectionId);
      if (connection === undefined || (await this.#isPaused(connectionId, connection, signal))) break;
      const { ended } = round;
      const askedAt = performance.now();
      const leased = await this.#claim(connectionId, connection, round);
      // What ended meanwhile has freed its lane, for which this look came too early.
      if (leased.length === 0 && round.ended > ended) continue;
      for (const task of leased) {
        const lease = new Lease(task, this.store, askedAt);
        const first = once(() => round.began());
        const run = this.#perform({ task, lease, connectionId, connection, signal, round, first });
        tasks.add(run);
        void run.finally(() => tasks.delete(run));
      }
      if (leased.length > 0) continue;
      if (round.underWay > 0) {
        // A chat that hangs does not keep the others: new work ends the wait as well.
        await round.change(this.rates.knownLook(connectionId));
        // Those that were recorded together make room together.
        await nextTurn();
      } else if (!(await this.#awaitHeld(connectionId, round))) break;
    }
    await Promise.all(tasks);
  }

  async #claim(
    connectionId: string,
    connection: SendingConnection,
    round: Round,
  ): Promise<readonly DeliveryTask[]> {
    const { most, urgent } = wanted(round, connection.account);
    round.reminded = false;
    round.again = false;
    if (most <= 0) return [];
    const claimedAt = clock.now();
    const tasks = await this.store.claim(connectionId, most, { urgent, atOnce: round.slots.free });
    round.openings.leased(tasks);
    round.look.leased(
      tasks.filter(({ operation }) => operation === 'send').map(({ delivery_id: id }) => id),
      claimedAt,
    );
    round.leased(tasks.length);
    return tasks;
  }

  /** True after a wait for a chat that had no room; false when there is none that something waits for. */
  async #awaitHeld(connectionId: string, round: Round): Promise<boolean> {
    const waitMs = await this.rates.nextLook(connectionId);
    if (waitMs === undefined) return round.reminded;
    if (waitMs > PATIENCE_MS) {
      const at = clock.now() + waitMs;
      if (Math.abs(at - (this.#remindedAt.get(connectionId) ?? 0)) > PATIENCE_MS) {
        this.#remindedAt.set(connectionId, at);
        await this.wakeUps.wakeConnection(connectionId, new Date(at));
      }
      return round.reminded;
    }
    await round.change(Math.max(0, waitMs));
    return true;
  }

  async #isPaused(
    connectionId: string,
    connection: SendingConnection,
    signal: AbortSignal,
  ): Promise<boolean> {
    const stored = connection.pausedUntil?.getTime() ?? 0;
    if (stored > (this.#pausedUntil.get(connectionId) ?? 0)) {
      this.#pausedUntil.set(connectionId, stored);
      await this.wakeUps.wakeConnection(connectionId, new Date(stored));
    }
    const waitMs = this.#pauseMs(connectionId);
    if (waitMs <= 0) return false;
    if (waitMs > PATIENCE_MS) return true;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    return signal.aborted;
  }

  #pauseMs(connectionId: string): number {
    return (this.#pausedUntil.get(connectionId) ?? 0) - clock.now();
  }

  async #perform(act: Act): Promise<void> {
    const { task, lease, connectionId, connection, round, first } = act;
    const claimedAt = clock.now();
    try {
      if (!(await this.#awaitSlot(task, lease, round))) return;
      const done = await this.#act(act).finally(() => round.slots.giveBack());
      if (done === undefined) return;
      await this.#settlements.add(done.result);
      if (done.tookMs === undefined) return;
      const times = { claimedAt, startedAt: done.startedAt, tookMs: done.tookMs };
      this.#tell(finishedAttempt(task, done.result, connection.platform, times), done.result, connectionId);
    } catch (err) {
      // The result could not be recorded: the lane's lease runs out and the delivery becomes uncertain.
      this.log.error({ err, delivery_id: task.delivery_id, connection_id: connectionId }, 'attempt.lost');
    } finally {
      round.look.forget(task.delivery_id);
      round.openings.forget(task);
      first();
      round.end();
    }
  }

  /** Whether its turn may be used: meanwhile it may have been stopped. */
  async #mayBegin(task: DeliveryTask, connectionId: string, round: Round): Promise<boolean> {
    try {
      if (task.operation !== 'send') return true;
      return (await round.look.permits(task.delivery_id)) && (await round.openings.open(task));
    } catch (err) {
      this.log.warn({ err, delivery_id: task.delivery_id, connection_id: connectionId }, 'attempt.put_off');
      return false;
    }
  }

  #tell(attempt: FinishedAttempt, { error }: TaskResult, connectionId: string): void {
    this.telemetry.attemptFinished(attempt);
    const { deliveryId, operation, outcome, startedAt, recordedAt } = attempt;
    this.log.info(
      {
        delivery_id: deliveryId,
        connection_id: connectionId,
        operation,
        outcome,
        error: error?.code,
        duration_ms: recordedAt - startedAt,
      },
      'attempt.finished',
    );
  }

  /** Waits for a free slot, and keeps the lane meanwhile. False: it was taken over, nothing may be written. */
  async #awaitSlot({ priority, parts }: DeliveryTask, lease: Lease, round: Round): Promise<boolean> {
    while (!(await round.slots.take(RENEW_MS, priority))) {
      if (!(await lease.renew(parts))) return false;
    }
    if (await lease.stillHeld(parts)) return true;
    round.slots.giveBack();
    return false;
  }

  /** Does what the task says; undefined when it was taken over and nothing is to be recorded. */
  async #act({
    task,
    lease,
    connectionId,
    connection,
    signal,
    round,
    first,
  }: Act): Promise<Done | undefined> {
    const startedAt = clock.now();
    if (task.operation === 'reconcile') {
      const notice = (cause: unknown) => this.#notice(cause, connectionId, task);
      return { result: await reconcile(task, connection, this.store, clock.date(), notice), startedAt };
    }
    const usable = () =>
      !this.#stopping && !signal.aborted && this.connections.find(connectionId) !== undefined;
    // The sweeper reminds of it; whoever has the connection next sends it.
    if (!usable()) return { result: untouched(task), startedAt };
    const pauseMs = () => (usable() ? Math.max(0, this.#pauseMs(connectionId)) : undefined);
    const mayBegin = () => this.#mayBegin(task, connectionId, round);
    const gate = new WriteGate({
      connectionId,
      connection,
      task,
      lease,
      rates: this.rates,
      pauseMs,
      mayBegin,
      onFirst: first,
    });
    const run = await runTask(task, connection, this.store, signal, gate);
    if (gate.withheld) return { result: untouched(task), startedAt };
    const tookMs = gate.writeMs ?? 0;
    if (gate.writeMs !== undefined) round.writeMs = gate.writeMs;
    if (run.fenced) return undefined;
    if (run.failure !== undefined && !gate.heldBack) {
      await this.#notice(run.failure.cause, connectionId, task, gate);
    }
    const result = resultOf(task, connection, run, clock.date(), Math.random());
    return { result, startedAt: clock.now() - tookMs, tookMs };
  }

  /** What a failure means for the connection, beyond the one delivery. */
  async #notice(
    cause: unknown,
    connectionId: string,
    task: DeliveryTask,
    gate?: Pick<WriteGate, 'refused'>,
  ): Promise<void> {
    if (!(cause instanceof PlatformError)) {
      this.log.error({ err: cause, connection_id: connectionId }, 'adapter.failed');
      return;
    }
    const { problem } = cause;
    if (problem.kind === 'rate_limited') {
      if (gate === undefined ? problem.scope === 'chat' : await gate.refused(problem)) return;
      await this.#pause(connectionId, askedWaitMs(problem.retryAfterMs));
    } else if (problem.kind === 'unauthorized' || problem.kind === 'misconfigured') {
      this.connections.refused(connectionId, cause);
      this.rates.release(connectionId);
    } else {
      await followRefusal(this.store, problem, connectionId, task.link);
    }
  }

  /** The platform asked the whole account to wait. */
  async #pause(connectionId: string, retryAfterMs: number): Promise<void> {
    const until = clock.now() + retryAfterMs;
    const known = this.#pausedUntil.get(connectionId) ?? 0;
    if (until <= known) return;
    this.#pausedUntil.set(connectionId, until);
    this.rates.release(connectionId);
    await this.store.pauseConnection(connectionId, new Date(until));
    // Whoever is reminded a little early waits for the rest.
    if (until > known + PATIENCE_MS) await this.wakeUps.wakeConnection(connectionId, new Date(until));
    this.connections.limited(connectionId, new Date(until));
  }
}
