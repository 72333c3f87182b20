import { setTimeout as wait } from 'node:timers/promises';
import { clock } from '../contract/clock.js';
import { untilBack } from '../core/common/database-away.js';
import type { Log } from '../core/common/log.js';
import type { Telemetry } from '../core/deliveries/telemetry.js';
import type { ClaimedDelivery, TryRecord, WebhookQueue } from '../core/webhooks/webhook-queue.js';
import type { OriginShares } from './origin-shares.js';
import type { WebhookSender } from './sender.js';

const maxParallel = 10;
// A busy endpoint gives its place back after this time, so that others get a session.
const sessionMs = 10_000;
// While the database is away, the result of a try is kept for this time, which is well below its lease.
const recordMs = 30_000;
// Tries that end close together are replaced by one claim.
const gatherMs = 2;

export interface SessionServices {
  readonly queue: WebhookQueue;
  readonly sender: WebhookSender;
  readonly origins: OriginShares;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** One endpoint's session in this process: what it was given and what it claims, until nothing is left or the time is over. */
export class EndpointSession {
  readonly #inFlight = new Set<Promise<void>>();
  readonly #endsAt = performance.now() + sessionMs;
  #defect: unknown;
  #mustClaim = false;
  // A claim found less than there was room for while tries were in flight: one of them may have been in the way.
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

  /** Whether a reminder is needed for what is left: a try for later, or what was due and not free to take. */
  get needsReminder(): boolean {
    return this.#needsReminder;
  }

  /** Nothing may be given to it any more. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Ends with what is in flight. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Tries a delivery that was claimed for this endpoint. */
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

  /** Says that there may be something due. */
  look(): void {
    this.#mustClaim = true;
    this.#notice();
  }

  /** Resolves with whether everything that was due and free to take is done; nothing is in flight then. */
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

  /** Until a try has ended or there is more work. */
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
    const room = maxParallel - this.#inFlight.size;
    try {
      const claimed = await this.services.queue.claim(this.webhookId, room);
      this.#mayBeHeldBack = claimed.length < room && this.#inFlight.size + claimed.length > 0;
      this.#needsReminder ||= claimed.length < room;
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
