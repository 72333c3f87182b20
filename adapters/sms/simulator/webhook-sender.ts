import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { linkedSignal } from '../../../src/contract/index.js';

/** Twilio's timeout of a webhook is 15 s. */
const WEBHOOK_TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 50;

/** HMAC-SHA1 over the address and the sorted form fields: https://www.twilio.com/docs/usage/security */
export function twilioSignature(
  authToken: string,
  url: string,
  params: Readonly<Record<string, string>>,
): string {
  const fields = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = url + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

/** Posts signed webhooks in the background, each with one retry, until it is stopped. */
export class WebhookSender {
  readonly #authToken: () => string;
  readonly #stopped = new AbortController();

  constructor(authToken: () => string) {
    this.#authToken = authToken;
    // One listener per running webhook.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** The response body of an accepted webhook. Undefined if both attempts failed or the sender was stopped. */
  async send(url: string, params: Readonly<Record<string, string>>): Promise<string | undefined> {
    const token = randomUUID();
    const answer = await this.#try(url, params, token);
    if (answer !== undefined || this.#stopped.signal.aborted) return answer;
    await new Promise<void>((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref());
    return this.#try(url, params, token);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #try(
    url: string,
    params: Readonly<Record<string, string>>,
    token: string,
  ): Promise<string | undefined> {
    if (this.#stopped.signal.aborted) return undefined;
    const stop = linkedSignal(this.#stopped.signal, AbortSignal.timeout(WEBHOOK_TIMEOUT_MS));
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': twilioSignature(this.#authToken(), url, params),
          'i-twilio-idempotency-token': token,
        },
        body: new URLSearchParams(params).toString(),
        redirect: 'manual',
        signal: stop.signal,
      });
      const body = await response.text();
      return response.ok ? body : undefined;
    } catch {
      // Twilio only logs this to its debugger.
      return undefined;
    } finally {
      stop.release();
    }
  }
}
