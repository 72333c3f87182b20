import { setTimeout as wait } from 'node:timers/promises';
import { clock } from '../contract/clock.js';
import { untilBack } from '../core/common/database-away.js';
import type { Log } from '../core/common/log.js';
import type { Telemetry } from '../core/deliveries/telemetry.js';
import type { ClaimedDelivery, TryRecord, WebhookQueue } from '../core/webhooks/webhook-queue.js';
import type { OriginShares } from './origin-shares.js';
import type { WebhookSender } from './sender.js';

const maxParallel = 10;
// A busy endpoint ends its session after this time, so that others get one.
const sessionMs = 10_000;
// While the database is unavailable, the result of an attempt is kept for this time, which is well below its lease.
const recordMs = 30_000;
// One claim follows all attempts that end within this time.
const gatherMs = 2;

export interface SessionServices {
  readonly queue: WebhookQueue;
  readonly sender: WebhookSender;
  readonly origins: OriginShares;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** One endpoint's session in this process. It claims and sends deliveries until none is due or its time is over. */
export class EndpointSession {
  readonly #inFlight = new Set<Promise<void>>();
  readonly #endsAt = performance.now() + sessionMs;
  #defect: unknown;
  #mustClaim = false;
  // The last claim found fewer deliveries than requested. An attempt in progress may have blocked others.
  #mayBeHeldBack = false;
  #needsReminder = false;
  #isFinished = false;
  #hasNews = false;
  #onNews: (() => void) | undefined;
  readonly #stopping = new AbortController();

  constructor(
    private readonly services: SessionServices,
    private readonly webhookId: string,
  ) {}

  /** Whether remaining deliveries need a reminder: retries, or due deliveries that could not be claimed. */
  get needsReminder(): boolean {
    return this.#needsReminder;
  }

  /** Whether the session accepts no more deliveries. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Ends the session after the attempts in progress. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Starts the attempt of a delivery that was claimed for this endpoint. */
  begin(claimed: ClaimedDelivery): void {
    const work = this.#deliver(claimed)
      .catch((error: unknown) => {
        this.#defect = error;
      })
      .finally(() => {
        this.#inFlight.delete(work);
        this.#notice();
      });
    this.#inFlight.add(work);
  }

  /** Reports that deliveries may be due. */
  checkDue(): void {
    this.#mustClaim = true;
    this.#notice();
  }

  /** Resolves when no attempt is in progress, with whether all deliveries that could be claimed are done. */
  async take(): Promise<boolean> {
    while (!this.#isOver() && (this.#mustClaim || this.#inFlight.size > 0)) {
      if (this.#mustClaim && this.#inFlight.size < maxParallel) await this.#claim();
      else await this.#change();
    }
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    this.#isFinished = true;
    if (this.#defect !== undefined) throw this.#defect;
    return !this.#mustClaim;
  }

  #isOver(): boolean {
    return this.#stopping.signal.aborted || this.#defect !== undefined || performance.now() > this.#endsAt;
  }

  /** Waits until an attempt has ended or there is more work. */
  async #change(): Promise<void> {
    if (!this.#hasNews) {
      await new Promise<void>((resolve) => {
        this.#onNews = resolve;
      });
    }
    this.#hasNews = false;
    if (this.#inFlight.size > 0 || this.#mustClaim) await wait(gatherMs);
  }

  #notice(): void {
    this.#hasNews = true;
    this.#onNews?.();
    this.#onNews = undefined;
  }

  async #claim(): Promise<void> {
    this.#mustClaim = false;
    const capacity = maxParallel - this.#inFlight.size;
    try {
      const claimed = await this.services.queue.claim(this.webhookId, capacity);
      this.#mayBeHeldBack = claimed.length < capacity && this.#inFlight.size + claimed.length > 0;
      this.#needsReminder ||= claimed.length < capacity;
      for (const each of claimed) this.begin(each);
    } catch (error) {
      this.#defect = error;
    }
  }

  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const { queue, sender, origins, log } = this.services;
    if (!(await this.#reachesStart(claimed))) {
      this.#needsReminder = true;
      return queue.release(claimed);
    }
    const tried = await origins.try(claimed.workspaceId, claimed.endpoint.url, () => sender.try(claimed));
    if (tried === undefined) {
      this.#needsReminder = true;
      return queue.release(claimed);
    }
    this.#tell(claimed, tried);
    const recorded = await untilBack(() => queue.record(claimed, tried), recordMs);
    this.#mustClaim ||= this.#mayBeHeldBack || recorded?.isMoreDue === true;
    this.#needsReminder ||= recorded?.status !== 'succeeded';
    log.info(
      {
        webhook_id: claimed.webhookId,
        delivery_id: claimed.id,
        event: claimed.event.type,
        try: claimed.tries + 1,
        ...tried.attempt,
        status: recorded?.status ?? 'lease_lost',
      },
      'webhook.tried',
    );
  }

  #tell({ tries, event }: ClaimedDelivery, { attempt, verdict }: TryRecord): void {
    const isFirst = tries === 0 && verdict.status === 'succeeded';
    this.services.telemetry.webhookTried({
      outcome: attempt.error ?? 'succeeded',
      seconds: attempt.duration_ms / 1_000,
      sinceCommittedSeconds: isFirst
        ? Math.max(0, clock.now() - event.occurredAt.getTime()) / 1_000
        : undefined,
    });
  }

  async #reachesStart({ startInMs }: ClaimedDelivery): Promise<boolean> {
    if (startInMs <= 0 || this.#stopping.signal.aborted) return !this.#stopping.signal.aborted;
    return wait(startInMs, true, { signal: this.#stopping.signal }).catch(() => false);
  }
}
