import { createHash, timingSafeEqual } from 'node:crypto';
import type { Api } from 'grammy';
import type { AdapterHost } from '../../../src/contract/index.js';
import { platformErrorOf } from '../client/errors.js';
import { allowedUpdates, clientSignal } from '../client/transport.js';
import { answerCallback } from './callback-answer.js';
import { type Bot, envelopeOf } from './envelope.js';
import { connected, type Ingress, reportFailure } from './ingress.js';
import { MissedUpdates } from './missed-updates.js';
import { CHECK_INTERVAL_MS, WebhookMonitor } from './webhook-monitor.js';

/** https://core.telegram.org/bots/api#setwebhook */
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

/** Receives updates by webhook. Telegram posts them in order per chat and repeats each until it receives a 2xx. */
export class WebhookIngress implements Ingress {
  readonly #api: Api;
  readonly #host: AdapterHost;
  readonly #bot: () => Bot;
  readonly #secret: string;
  readonly #checkIntervalMs: number;
  readonly #closing = new AbortController();
  #monitoring: Promise<void> | undefined;

  constructor(
    api: Api,
    host: AdapterHost,
    bot: () => Bot,
    secret: string,
    checkIntervalMs = CHECK_INTERVAL_MS,
  ) {
    this.#checkIntervalMs = checkIntervalMs;
    this.#api = api;
    this.#host = host;
    this.#bot = bot;
    this.#secret = secret;
  }

  async open(): Promise<void> {
    this.#host.health({ code: 'connecting', message: 'Registering the webhook with Telegram.' });
    try {
      await this.#register();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const failure = platformErrorOf(error, false);
      reportFailure(this.#host, failure);
      throw failure;
    }
    if (this.#closing.signal.aborted) return;
    this.#host.health(connected);
    const monitor = new WebhookMonitor({
      api: this.#api,
      host: this.#host,
      register: () => this.#register(),
      missed: new MissedUpdates(this.#host),
      bot: () => this.#bot().id,
      intervalMs: this.#checkIntervalMs,
    });
    this.#monitoring = monitor.run(this.#closing.signal);
  }

  /** The webhook stays registered on stop. Telegram keeps updates for a day and delivers them after an outage. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#monitoring;
  }

  async handle(request: Request): Promise<Response> {
    if (!this.#isAuthentic(request.headers.get(SECRET_HEADER))) return answer(401);
    const update = await readJson(request);
    if (update === undefined) return answer(400);
    const envelope = envelopeOf(update, this.#bot());
    // The request is authentic but has no update number. A repetition would not help.
    if (envelope === undefined) return answer(200);
    try {
      await this.#host.receive(envelope);
    } catch (error) {
      this.#host.log.warn('update.not_stored', { error });
      return answer(503);
    }
    void answerCallback(this.#api, update, this.#host.log, this.#closing.signal);
    return answer(200);
  }

  async #register(): Promise<void> {
    await this.#api.raw.setWebhook(
      { url: this.#host.webhookUrl, secret_token: this.#secret, allowed_updates: allowedUpdates },
      clientSignal(this.#closing.signal),
    );
  }

  /** Compares digests, so that the timing reveals nothing about the secret or its length. */
  #isAuthentic(header: string | null): boolean {
    if (header === null) return false;
    return timingSafeEqual(digest(header), digest(this.#secret));
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const answer = (status: number) => new Response(null, { status });

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}
