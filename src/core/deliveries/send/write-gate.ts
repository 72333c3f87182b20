import { clock } from '../../../contract/clock.js';
import {
  type Destination,
  type PartStep,
  PlatformError,
  type PlatformProblem,
  type Receipt,
  remoteChatId,
  type WriteRate,
} from '../../../contract/index.js';
import type { Rates } from '../../rates/rates.js';
import { type LaneLease, RENEW_MS } from '../dispatch/lane-lease.js';
import type { SendingConnection, WriteJournal } from '../ports.js';
import type { DeliveryTask, KnownPart } from '../task.js';

/** A wait after which another process may have the connection. */
const HANDOVER_MS = 1;
/** Maximum wait between two parts of a message. */
export const BETWEEN_PARTS_MS = 2_500;
/** Wait after a failed check, such as a failed read of the rate limits. */
const RECHECK_MS = 2_000;

/** Permits the platform calls of a task one by one. */
export interface Gate {
  /**
   * Resolves when the call of a step may be made, or without a step, the call that opens the chat. Resolves with false
   * if another worker has the lane. Raises `rate_limited` if the task should not be kept for the whole wait.
   */
  pass(to: Destination, step: PartStep | undefined, parts: readonly KnownPart[]): Promise<boolean>;
  /** Renews the lease during a call that may take longer than the lease. The signal aborts when the lane may be lost. */
  keeping<Answer>(parts: readonly KnownPart[], call: (lost: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Applies the rate limits in the platform's response to the last permitted call. */
  answered(receipt: Receipt): Promise<void>;
}

/** For calls without rate limits. */
export const openGate: Gate = {
  pass: async () => true,
  keeping: (_, call) => call(new AbortController().signal),
  answered: async () => undefined,
};

export interface GateOptions {
  readonly connectionId: string;
  readonly connection: SendingConnection;
  readonly task: DeliveryTask;
  readonly lease: LaneLease;
  readonly rates: Rates;
  /** Time for which the account may not be called. Undefined if this process may not use the connection any more. */
  readonly pauseMs: () => number | undefined;
  /** Whether the task may still begin. Called right before its first call. */
  readonly mayBegin: () => Promise<boolean>;
  /** Called when the first call begins. */
  readonly onFirst: () => void;
  readonly journal: WriteJournal;
}

/** Keeps the calls of one task within the limits of its connection. */
export class WriteGate implements Gate {
  /** Whether the last failure was caused by this gate and not by the platform. */
  heldBack = false;
  /** Whether the task was stopped before its first call. */
  withheld = false;
  #rate: WriteRate = { buckets: [] };
  #chatId = remoteChatId('');
  #passedAt: number | undefined;

  constructor(private readonly options: GateOptions) {}

  /** Milliseconds since the first call began. Undefined before it. */
  get writeMs(): number | undefined {
    return this.#passedAt === undefined ? undefined : clock.now() - this.#passedAt;
  }

  async pass(to: Destination, step: PartStep | undefined, parts: readonly KnownPart[]): Promise<boolean> {
    const { connection, connectionId, rates } = this.options;
    this.#assertOpen();
    this.#chatId = to.chatId;
    this.#rate = step === undefined ? { buckets: [] } : connection.rate(step, to);
    const maxWaitMs = parts.some(({ status }) => status === 'sent') ? BETWEEN_PARTS_MS : undefined;
    const waitMs = await this.#checked(rates.acquireCapacity(connectionId, to.chatId, this.#rate, maxWaitMs));
    if (waitMs > 0) throw this.#wait(waitMs, 'chat', 'The limit of the chat is used up for now.');
    if (!(await this.#checked(this.#acquirePermit(this.#rate.cost ?? 1, parts)))) return false;
    if (this.#passedAt === undefined && !(await this.options.mayBegin())) {
      this.withheld = true;
      throw this.#wait(HANDOVER_MS, 'chat', 'The delivery was stopped before its first write.');
    }
    this.#recordInJournal(step);
    // The lease is checked last, because the checks above may take longer than the lease. A worker that takes over the
    // lane reads the journal after the lease has ended, so it finds every write that passed this check.
    if (!(await this.#checked(this.options.lease.stillHeld(parts)))) return false;
    this.#assertOpen();
    if (this.#passedAt === undefined) {
      this.#passedAt = clock.now();
      this.options.onFirst();
    }
    return true;
  }

  /** Records a create in the journal before it begins. */
  #recordInJournal(step: PartStep | undefined): void {
    const { journal, task } = this.options;
    if (step?.action !== 'create' || task.attempt_id === null) return;
    try {
      journal.begin(task.attempt_id, step.index);
    } catch {
      throw this.#wait(RECHECK_MS, 'chat', 'The write could not be recorded before it began.');
    }
  }

  async #acquirePermit(cost: number, parts: readonly KnownPart[]): Promise<boolean> {
    const { connection, connectionId, lease, rates, task } = this.options;
    while (!(await rates.acquirePermit(connectionId, connection.account, cost, task.priority, RENEW_MS))) {
      this.#assertOpen();
      if (!(await lease.renew(parts))) return false;
    }
    return true;
  }

  keeping<Answer>(
    parts: readonly KnownPart[],
    call: (lost: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    return this.options.lease.kept(parts, call);
  }

  async answered({ rates: readings = [] }: Receipt): Promise<void> {
    // The write has succeeded in any case. The platform repeats its limits in the next response.
    await this.options.rates
      .applyReadings(this.options.connectionId, this.#chatId, readings)
      .catch(() => undefined);
  }

  /** Turns a failed check into a wait. Nothing was written. */
  #checked<T>(check: Promise<T>): Promise<T> {
    return check.catch((cause: unknown) => {
      if (cause instanceof PlatformError) throw cause;
      throw this.#wait(RECHECK_MS, 'chat', 'The rate limits could not be read.');
    });
  }

  /** Records a wait that the platform requested. Resolves with false if it applies to the whole account. */
  refused(problem: PlatformProblem & { readonly kind: 'rate_limited' }): Promise<boolean> {
    return this.options.rates.refused(this.options.connectionId, this.#chatId, problem, this.#rate);
  }

  #assertOpen(): void {
    const pauseMs = this.options.pauseMs();
    if (pauseMs === undefined)
      throw this.#wait(HANDOVER_MS, 'account', 'This process does not use the connection any more.');
    if (pauseMs > 0) throw this.#wait(pauseMs, 'account', 'The platform asked the account to wait.');
  }

  #wait(retryAfterMs: number, scope: 'account' | 'chat', message: string): PlatformError {
    this.heldBack = true;
    return new PlatformError({ kind: 'rate_limited', retryAfterMs, scope }, { dispatched: 'no', message });
  }
}
