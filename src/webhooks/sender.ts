import { clock } from '../contract/clock.js';
import { OutgoingError, type OutgoingRequests } from '../core/common/outgoing.js';
import { excerptOf } from '../core/webhooks/excerpt.js';
import { buildPayload, type PresentData } from '../core/webhooks/payload.js';
import { signatureHeaders } from '../core/webhooks/signature.js';
import { type TryOutcome, toAttempt, verdictOf } from '../core/webhooks/verdict.js';
import type { ClaimedDelivery, TryRecord } from '../core/webhooks/webhook-queue.js';

export interface SenderOptions {
  /** The version in the User-Agent header. */
  readonly version: string;
  readonly presentData: PresentData;
  /** Random numbers in [0, 1) for the jitter of retries. */
  readonly random?: () => number;
  readonly now?: () => Date;
}

/** Makes one signed attempt of a delivery. */
export class WebhookSender {
  readonly #random: () => number;
  readonly #now: () => Date;

  constructor(
    private readonly client: OutgoingRequests,
    private readonly options: SenderOptions,
  ) {
    this.#random = options.random ?? Math.random;
    this.#now = options.now ?? (() => clock.date());
  }

  /** Resolves with the attempt and the next state of the delivery. A failed attempt is a result, not an error. */
  async try(claimed: ClaimedDelivery): Promise<TryRecord> {
    const startedAt = this.#now();
    const start = performance.now();
    const outcome = await this.#post(claimed, startedAt);
    const attempt = toAttempt(outcome, startedAt, performance.now() - start);
    const context = {
      event: claimed.event.type,
      tries: claimed.tries + 1,
      now: this.#now(),
      random: this.#random(),
    };
    const excerpt = 'status' in outcome ? outcome.excerpt : undefined;
    return { attempt, excerpt, verdict: verdictOf(outcome, context) };
  }

  async #post({ event, endpoint }: ClaimedDelivery, at: Date): Promise<TryOutcome> {
    const payload = buildPayload(event, endpoint.apiVersion, this.options.presentData);
    const body = Buffer.from(JSON.stringify(payload));
    const timestamp = Math.floor(at.getTime() / 1000);
    const headers = {
      ...endpoint.headers,
      'content-type': 'application/json',
      'user-agent': `Trunkline/${this.options.version}`,
      ...signatureHeaders({ id: payload.id, body, timestamp }, endpoint.secrets),
    };
    try {
      const answer = await this.client.request({ url: endpoint.url, method: 'POST', headers, body });
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.status,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        excerpt: excerptOf(answer.body, Object.values(endpoint.headers)),
      };
    } catch (error) {
      if (error instanceof OutgoingError) return { problem: error.problem };
      throw error;
    }
  }
}
