import { clock } from '../../contract/clock.js';
import { PlatformError } from '../../contract/index.js';
import type { Log } from '../common/log.js';
import type { Rates } from '../rates/rates.js';
import { type AccountPauses, TIMEOUT_MS } from './dispatch/account-pauses.js';
import type { DeliveryStore, SendingConnection, SendingConnections, WakeUps } from './ports.js';
import { followRefusal } from './refusal.js';
import { StillUnanswered } from './send/create-knowledge.js';
import type { WriteGate } from './send/write-gate.js';
import type { DeliveryTask } from './task.js';

/** Waits of a chat from this length are logged for operators. */
const LONG_WAIT_MS = 600_000;

export interface ErrorEffectParts {
  readonly store: DeliveryStore;
  readonly connections: SendingConnections;
  readonly wakeUps: WakeUps;
  readonly rates: Rates;
  readonly pauses: AccountPauses;
  readonly log: Log;
}

type Refusable = Pick<WriteGate, 'refused'>;
type NotedTask = Pick<DeliveryTask, 'link'>;

/** The connection that was called. */
export interface Account {
  readonly connectionId: string;
  readonly connection: SendingConnection;
}

/** Applies the effects of platform errors to the whole connection, and decides whether it may be called. */
export class PlatformErrorEffects {
  constructor(private readonly parts: ErrorEffectParts) {}

  /**
   * Never rejects, because the result of the write must be recorded in any case. The platform repeats the error on the
   * next call.
   */
  async take(cause: unknown, account: Account, task?: NotedTask, gate?: Refusable): Promise<void> {
    try {
      await this.#follow(cause, account, task, gate);
    } catch (err) {
      this.parts.log.error({ err, connection_id: account.connectionId }, 'refusal.not_followed');
    }
  }

  async #follow(
    cause: unknown,
    { connectionId, connection }: Account,
    task?: NotedTask,
    gate?: Refusable,
  ): Promise<void> {
    const { store, connections, rates, log } = this.parts;
    if (cause instanceof StillUnanswered) return;
    if (!(cause instanceof PlatformError)) {
      log.error({ err: cause, connection_id: connectionId }, 'adapter.failed');
      return;
    }
    const { problem } = cause;
    if (problem.kind === 'rate_limited') {
      if (gate === undefined ? problem.scope === 'chat' : await gate.refused(problem)) {
        this.#logLongWait(problem.retryAfterMs, connectionId, task);
        return;
      }
      await this.#pause(connectionId, connection, problem.retryAfterMs);
    } else if (problem.kind === 'unauthorized' || problem.kind === 'misconfigured') {
      connections.refused(connectionId, cause, connection.generation);
      rates.release(connectionId);
    } else if (task !== undefined) {
      await followRefusal(store, problem, connectionId, task.link);
    }
  }

  /**
   * Logs a long wait of a chat. A wait of the account is visible in the health of the connection, that of a chat only
   * in its messages.
   */
  #logLongWait(waitMs: number, connectionId: string, task?: NotedTask): void {
    if (waitMs < LONG_WAIT_MS) return;
    const until = new Date(clock.now() + waitMs).toISOString();
    this.parts.log.error({ connection_id: connectionId, link_id: task?.link.id, until }, 'chat.held');
  }

  /** Time for which the account may not be called. Undefined if this process may not use the connection any more. */
  pauseMs({ connectionId, connection }: Account): number | undefined {
    const { connections, pauses } = this.parts;
    if (connections.find(connectionId)?.generation !== connection.generation) return undefined;
    return Math.max(0, pauses.leftMs(connectionId, connection));
  }

  /** Pauses the whole account, as requested by the platform. */
  async #pause(connectionId: string, connection: SendingConnection, retryAfterMs: number): Promise<void> {
    const { store, connections, wakeUps, rates, pauses } = this.parts;
    const until = clock.now() + retryAfterMs;
    const known = pauses.until(connectionId, connection);
    if (until <= known) return;
    pauses.note(connectionId, connection, until);
    rates.release(connectionId);
    await store.pauseConnection(connectionId, new Date(until), connection.generation);
    // A worker that is woken slightly early waits for the remaining time.
    if (until > known + TIMEOUT_MS) await wakeUps.wakeConnection(connectionId, new Date(until));
    connections.limited(connectionId, new Date(until), connection.generation);
  }
}
