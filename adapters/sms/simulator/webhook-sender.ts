import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { linkedSignal } from '../../../src/contract/index.js';

/** Twilio gives up on a webhook after 15 s. */
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
    // One for each webhook that is under way.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** Resolves when the webhook was accepted, or failed twice, or the sender was stopped. */
  async send(url: string, params: Readonly<Record<string, string>>): Promise<void> {
    const token = randomUUID();
    if (await this.#try(url, params, token)) return;
    await new Promise<void>((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref());
    await this.#try(url, params, token);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #try(url: string, params: Readonly<Record<string, string>>, token: string): Promise<boolean> {
    if (this.#stopped.signal.aborted) return true;
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
      await response.arrayBuffer();
      return response.ok;
    } catch {
      // Twilio writes this to its debugger and goes on; the platform's users never see it.
      return false;
    } finally {
      stop.release();
    }
  }
}
