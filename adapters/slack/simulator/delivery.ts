import { signBody } from '../ingress/signature.js';

/** Slack retries almost immediately, after one minute and after five minutes (docs.slack.dev/apis/events-api#error-handling). */
export const DOCUMENTED_RETRIES_MS: readonly number[] = [100, 60_000, 300_000];
const ANSWER_TIMEOUT_MS = 3_000;
/**
 * Maximum number of concurrent posts to the app. Further posts wait, and this wait does not count as an attempt. An app
 * that returns after an outage is not overloaded by the missed events.
 */
const AT_ONCE = 100;

export interface DeliveryOptions {
  readonly signingSecret: string;
  readonly retriesMs: readonly number[];
}

/** The Events API over HTTP: signed posts, retried as documented. First attempts run in order within each lane. */
export class WebhookDelivery {
  url: string | undefined;
  readonly #options: DeliveryOptions;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Sends an event as JSON, or a command or interaction as a form. */
  send(lane: string, body: object): void {
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const after = before.then(() =>
      this.#attempt(body instanceof URLSearchParams ? body.toString() : JSON.stringify(body), 0, undefined),
    );
    this.#lanes.set(lane, after);
    void after.then(() => {
      if (this.#lanes.get(lane) === after) this.#lanes.delete(lane);
    });
  }

  /** Sends one signed post like Slack. Resolves with the status of the response, or 0 without a response. */
  async post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    return (await this.answer(body, headers))?.status ?? 0;
  }

  async answer(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response | undefined> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    return fetch(this.url ?? '', {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signBody(this.#options.signingSecret, timestamp, Buffer.from(body)),
        ...headers,
      },
    }).catch(() => undefined);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.url = undefined;
  }

  /** Passes a released slot to the next waiter, so that later requests cannot take it. */
  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    if (this.#underWay >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay += 1;
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }

  async #attempt(body: string, retry: number, reason: string | undefined): Promise<void> {
    if (this.url === undefined) return;
    const form: Record<string, string> = body.startsWith('{')
      ? {}
      : { 'content-type': 'application/x-www-form-urlencoded' };
    const headers: Record<string, string> =
      reason === undefined
        ? form
        : { ...form, 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': reason };
    const status = await this.#inTurn(() => this.post(body, headers));
    // Only events are retried.
    const waitMs = body.startsWith('{') ? this.#options.retriesMs[retry] : undefined;
    if ((status >= 200 && status < 300) || waitMs === undefined || this.url === undefined) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#attempt(body, retry + 1, status === 0 ? 'connection_failed' : 'http_error');
    }, waitMs);
    this.#timers.add(timer);
  }
}
