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

/** Another process may have the connection by then. */
const UNUSABLE_MS = 1;
/** Who reads the first part of a message should not have to wonder where the next one is. */
const BETWEEN_PARTS_MS = 2_500;
/** Until the limits are asked for again after a question that failed. */
const UNASKED_MS = 2_000;

/** What lets the calls of a task go, one by one. */
export interface Gate {
  /**
   * Resolves when a call may be made, which without a step is the one that opens the chat. False: the lane was taken
   * over meanwhile. Raises `rate_limited` when the wait is longer than a task should be kept for.
   */
  pass(to: Destination, step: PartStep | undefined, parts: readonly KnownPart[]): Promise<boolean>;
  /** Makes a call that may take longer than the lane is held for. Its signal aborts when the lane may be lost. */
  keeping<Answer>(parts: readonly KnownPart[], call: (lost: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** What the platform answered to the call that passed last. */
  answered(receipt: Receipt): Promise<void>;
}

/** For what is not paced. */
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
  /** Milliseconds for which the account may not be called; undefined: it can't be used from here any more. */
  readonly pauseMs: () => number | undefined;
  /** Asked right before the first call: whether the task was not stopped meanwhile. */
  readonly mayBegin: () => Promise<boolean>;
  /** The first call goes. */
  readonly onFirst: () => void;
  readonly journal: WriteJournal;
}

/** Keeps the calls of one task within the limits of its connection. */
export class WriteGate implements Gate {
  /** True: the last failure is this gate's own, not the platform's. */
  heldBack = false;
  /** True: nothing was called, and nothing may be. */
  withheld = false;
  #rate: WriteRate = { buckets: [] };
  #chatId = remoteChatId('');
  #passedAt: number | undefined;

  constructor(private readonly options: GateOptions) {}

  /** How long the calls took since the first one went; undefined before it. */
  get writeMs(): number | undefined {
    return this.#passedAt === undefined ? undefined : clock.now() - this.#passedAt;
  }

  async pass(to: Destination, step: PartStep | undefined, parts: readonly KnownPart[]): Promise<boolean> {
    const { connection, connectionId, rates } = this.options;
    this.#assertOpen();
    this.#chatId = to.chatId;
    this.#rate = step === undefined ? { buckets: [] } : connection.rate(step, to);
    const patienceMs = parts.some(({ status }) => status === 'sent') ? BETWEEN_PARTS_MS : undefined;
    const waitMs = await this.#asked(rates.room(connectionId, to.chatId, this.#rate, patienceMs));
    if (waitMs > 0) throw this.#wait(waitMs, 'chat', 'The limit of the chat is used up for now.');
    if (!(await this.#asked(this.#turn(this.#rate.cost ?? 1, parts)))) return false;
    if (this.#passedAt === undefined && !(await this.options.mayBegin())) {
      this.withheld = true;
      throw this.#wait(UNUSABLE_MS, 'chat', 'It was stopped before it began.');
    }
    this.#note(step);
    // Last of all: whatever was asked above may have taken longer than the lane was held. Who takes the lane over reads the
    // journal, and finds this write in it if the lane was still held here afterwards.
    if (!(await this.#asked(this.options.lease.stillHeld(parts)))) return false;
    this.#assertOpen();
    if (this.#passedAt === undefined) {
      this.#passedAt = clock.now();
      this.options.onFirst();
    }
    return true;
  }

  /** A create is noted before it begins. */
  #note(step: PartStep | undefined): void {
    const { journal, task } = this.options;
    if (step?.action !== 'create' || task.attempt_id === null) return;
    try {
      journal.begin(task.attempt_id, step.index);
    } catch {
      throw this.#wait(UNASKED_MS, 'chat', 'The write could not be noted before it began.');
    }
  }

  async #turn(cost: number, parts: readonly KnownPart[]): Promise<boolean> {
    const { connection, connectionId, lease, rates, task } = this.options;
    while (!(await rates.turn(connectionId, connection.account, cost, task.priority, RENEW_MS))) {
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
    // The write is done whether this can be noted or not; the platform says it again.
    await this.options.rates
      .applyReadings(this.options.connectionId, this.#chatId, readings)
      .catch(() => undefined);
  }

  /** What can't be asked now is asked later: nothing was written. */
  #asked<T>(question: Promise<T>): Promise<T> {
    return question.catch((cause: unknown) => {
      if (cause instanceof PlatformError) throw cause;
      throw this.#wait(UNASKED_MS, 'chat', 'The limits could not be looked up.');
    });
  }

  /** The platform asked for a wait. False: it binds the whole account. */
  refused(problem: PlatformProblem & { readonly kind: 'rate_limited' }): Promise<boolean> {
    return this.options.rates.refused(this.options.connectionId, this.#chatId, problem, this.#rate);
  }

  #assertOpen(): void {
    const pauseMs = this.options.pauseMs();
    if (pauseMs === undefined)
      throw this.#wait(UNUSABLE_MS, 'account', 'The connection is not used from here any more.');
    if (pauseMs > 0) throw this.#wait(pauseMs, 'account', 'The platform asked the account to wait.');
  }

  #wait(retryAfterMs: number, scope: 'account' | 'chat', message: string): PlatformError {
    this.heldBack = true;
    return new PlatformError({ kind: 'rate_limited', retryAfterMs, scope }, { dispatched: 'no', message });
  }
}
