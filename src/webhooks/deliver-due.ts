import type { ClaimedDelivery } from '../core/webhooks/webhook-queue.js';
import { EndpointSession, type SessionServices } from './endpoint-session.js';
import { OriginShares } from './origin-shares.js';

const idleWakeMs = 1_000;
/** The number of endpoints that may hang before others must wait. Each holds its session until its attempt ends. */
export const MAX_SESSIONS = 500;

/** Delivers due events. Each endpoint has at most one session at a time in this process. */
export class DeliverDue {
  readonly #sessions = new Map<string, EndpointSession>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  readonly #origins = new OriginShares();

  constructor(private readonly services: Omit<SessionServices, 'origins'>) {}

  /** Number of additional endpoints that may have a session. */
  get capacity(): number {
    return this.#isStopped ? 0 : Math.max(0, MAX_SESSIONS - this.#sessions.size);
  }

  /** Starts attempts of claimed deliveries without a reminder and does not wait for them. */
  begin(claimed: readonly ClaimedDelivery[]): void {
    for (const each of claimed) this.#sessionOf(each.webhookId).begin(each);
  }

  /** Looks for due deliveries of these endpoints. Endpoints without room here get a reminder on the queue. */
  async checkDue(webhookIds: readonly string[]): Promise<void> {
    const left: string[] = [];
    for (const id of webhookIds) {
      if (this.capacity > 0 || this.#current(id) !== undefined) this.#sessionOf(id).checkDue();
      else left.push(id);
    }
    await this.services.queue.wake(left);
  }

  /**
   * Handles the reminder of one endpoint. Resolves when nothing is in progress and either nothing is due any more, the session
   * is over or `signal` was aborted. Resolves at once if the endpoint already has a session. Remaining deliveries have a
   * reminder by then.
   */
  async run(webhookId: string, signal: AbortSignal): Promise<void> {
    const current = this.#current(webhookId);
    if (current !== undefined) return current.checkDue();
    const session = this.#open(webhookId);
    const stop = () => session.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    session.checkDue();
    try {
      const isDone = await session.take();
      await this.services.queue.wakeWhenDue(webhookId, isDone ? idleWakeMs : 0);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#close(webhookId, session);
    }
  }

  /** Stops all sessions. Resolves when those outside of `run` have ended. Remaining deliveries have a reminder by then. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const session of this.#sessions.values()) session.stop();
    await Promise.all(this.#running);
  }

  #current(webhookId: string): EndpointSession | undefined {
    const session = this.#sessions.get(webhookId);
    return session?.isFinished ? undefined : session;
  }

  /** The endpoint's session. A new session starts its work in the next microtask. */
  #sessionOf(webhookId: string): EndpointSession {
    const current = this.#current(webhookId);
    if (current !== undefined) return current;
    const session = this.#open(webhookId);
    const work = Promise.resolve()
      .then(() => this.#take(webhookId, session))
      .catch((err: unknown) =>
        this.services.log.error({ err, webhook_id: webhookId }, 'webhook.delivery_run_failed'),
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    return session;
  }

  async #take(webhookId: string, session: EndpointSession): Promise<void> {
    try {
      const isDone = await session.take();
      if (isDone && !session.needsReminder) return;
      await this.services.queue.wakeWhenDue(webhookId, isDone ? idleWakeMs : 0);
    } finally {
      this.#close(webhookId, session);
    }
  }

  #open(webhookId: string): EndpointSession {
    const session = new EndpointSession({ ...this.services, origins: this.#origins }, webhookId);
    if (this.#isStopped) session.stop();
    this.#sessions.set(webhookId, session);
    return session;
  }

  #close(webhookId: string, session: EndpointSession): void {
    if (this.#sessions.get(webhookId) === session) this.#sessions.delete(webhookId);
  }
}
