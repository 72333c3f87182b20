import type { ClaimedDelivery } from '../core/webhooks/webhook-queue.js';
import { OriginShares } from './origin-shares.js';
import { Turn, type TurnServices } from './turn.js';

const idleWakeMs = 1_000;
/** An endpoint that hangs holds its turn for as long as a try may take: so many may hang before others have to wait. */
export const TURNS_AT_ONCE = 500;

/** Delivers what is due, endpoint by endpoint; each has one turn at a time in this process. */
export class DeliverDue {
  readonly #turns = new Map<string, Turn>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  readonly #origins = new OriginShares();

  constructor(private readonly services: Omit<TurnServices, 'origins'>) {}

  /** How many endpoints more may have a turn. */
  get room(): number {
    return this.#isStopped ? 0 : Math.max(0, TURNS_AT_ONCE - this.#turns.size);
  }

  /** Tries what was claimed for this process, without a reminder. Does not wait for it. */
  begin(claimed: readonly ClaimedDelivery[]): void {
    for (const each of claimed) this.#turnOf(each.webhookId).begin(each);
  }

  /** Looks for what is due to these endpoints; those that find no room here are left to the queue. */
  async look(webhookIds: readonly string[]): Promise<void> {
    const left: string[] = [];
    for (const id of webhookIds) {
      if (this.room > 0 || this.#current(id) !== undefined) this.#turnOf(id).look();
      else left.push(id);
    }
    await this.services.queue.wake(left);
  }

  /**
   * What a reminder of one endpoint asks for. Resolves when nothing is due any more, the turn is over or `signal` aborts,
   * and nothing is in flight; at once when the endpoint has its turn already. Whatever is left has a reminder by then.
   */
  async run(webhookId: string, signal: AbortSignal): Promise<void> {
    const current = this.#current(webhookId);
    if (current !== undefined) return current.look();
    const turn = this.#open(webhookId);
    const stop = () => turn.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    turn.look();
    try {
      const isDone = await turn.take();
      await this.services.queue.wakeWhenDue(webhookId, isDone ? idleWakeMs : 0);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#close(webhookId, turn);
    }
  }

  /** Ends with what is in flight; what is left has a reminder by then. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const turn of this.#turns.values()) turn.stop();
    await Promise.all(this.#running);
  }

  #current(webhookId: string): Turn | undefined {
    const turn = this.#turns.get(webhookId);
    return turn?.isFinished ? undefined : turn;
  }

  /** The endpoint's turn; a new one takes what it is given from the next moment on. */
  #turnOf(webhookId: string): Turn {
    const current = this.#current(webhookId);
    if (current !== undefined) return current;
    const turn = this.#open(webhookId);
    const work = Promise.resolve()
      .then(() => this.#take(webhookId, turn))
      .catch((err: unknown) => this.services.log.error({ err, webhook_id: webhookId }, 'webhook.turn_failed'))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    return turn;
  }

  async #take(webhookId: string, turn: Turn): Promise<void> {
    try {
      const isDone = await turn.take();
      if (isDone && !turn.needsReminder) return;
      await this.services.queue.wakeWhenDue(webhookId, isDone ? idleWakeMs : 0);
    } finally {
      this.#close(webhookId, turn);
    }
  }

  #open(webhookId: string): Turn {
    const turn = new Turn({ ...this.services, origins: this.#origins }, webhookId);
    if (this.#isStopped) turn.stop();
    this.#turns.set(webhookId, turn);
    return turn;
  }

  #close(webhookId: string, turn: Turn): void {
    if (this.#turns.get(webhookId) === turn) this.#turns.delete(webhookId);
  }
}
