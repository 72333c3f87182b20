import { setTimeout as sleep } from 'node:timers/promises';
import type { Update } from 'grammy/types';

/** Retry delays as in the server's source (WebhookActor.cpp): at once, then two seconds, doubling to a minute. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** Posts updates to one webhook, in order and one at a time per chat, until each gets a 2xx. */
export class WebhookSender {
  readonly #queues = new Map<number, Update[]>();
  readonly #stopped = new AbortController();
  readonly #delivered: (update: Update) => void;
  /** The last error, as in getWebhookInfo. */
  lastFailure: { readonly last_error_date: number; readonly last_error_message: string } | undefined;

  constructor(
    readonly url: string,
    readonly secret: string | undefined,
    delivered: (update: Update) => void,
  ) {
    this.#delivered = delivered;
  }

  enqueue(update: Update): void {
    const lane = laneOf(update);
    const queue = this.#queues.get(lane);
    if (queue !== undefined) queue.push(update);
    else {
      const started = [update];
      this.#queues.set(lane, started);
      void this.#drain(lane, started);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #drain(lane: number, queue: Update[]): Promise<void> {
    for (let update = queue[0]; update !== undefined; update = queue[0]) {
      for (let failures = 0; !(await this.#post(update)); failures += 1) {
        const pause = failures === 0 ? 0 : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
        await sleep(pause, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
        if (this.#stopped.signal.aborted) return;
      }
      if (this.#stopped.signal.aborted) return;
      this.#delivered(update);
      queue.shift();
    }
    this.#queues.delete(lane);
  }

  async #post(update: Update): Promise<boolean> {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': this.secret }),
        },
        body: JSON.stringify(update),
        signal: this.#stopped.signal,
      });
      await response.arrayBuffer();
      if (!response.ok) this.#failed(`Wrong response from the webhook: ${response.status}`);
      return response.ok;
    } catch {
      this.#failed('Connection failed');
      return false;
    }
  }

  #failed(message: string): void {
    this.lastFailure = { last_error_date: Math.floor(Date.now() / 1000), last_error_message: message };
  }
}

/** Callbacks have a separate queue per person and may overtake messages. */
function laneOf({ update_id: _, ...pending }: Update): number {
  const [body] = Object.values(pending) as readonly { chat?: { id: number }; from?: { id: number } }[];
  return body?.chat?.id ?? body?.from?.id ?? 0;
}
