import type { Update, WebhookInfo } from 'grammy/types';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import { failure, success } from './answers.js';
import type { PendingUpdate } from './state.js';
import { WebhookSender } from './webhook-sender.js';

type UpdateKind = Exclude<keyof Update, 'update_id'>;

/** Kinds that are sent only if named (https://core.telegram.org/bots/api#getupdates). */
const onRequest = new Set<string>(['chat_member', 'message_reaction', 'message_reaction_count']);

export interface PollRequest {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly timeout?: number | undefined;
  readonly allowed_updates?: readonly string[] | undefined;
}

export interface WebhookRequest {
  readonly url: string;
  readonly secret_token?: string | undefined;
  readonly allowed_updates?: readonly string[] | undefined;
  readonly drop_pending_updates?: boolean | undefined;
}

interface Waiter {
  readonly request: PollRequest;
  answer(answer: SimulatedAnswer): void;
  readonly timer: NodeJS.Timeout;
}

/** The bot's pending updates and the single way of delivering them. */
export class UpdateFeed {
  #pending: Update[] = [];
  #nextId: number;
  #allowed: ReadonlySet<string> | undefined;
  #waiter: Waiter | undefined;
  #webhook: WebhookSender | undefined;
  readonly #callbacks = new Set<string>();

  constructor(firstNumber = 1) {
    this.#nextId = 900_000_000 + firstNumber;
  }

  /** Adds an update if the bot asked for its kind. */
  number(pending: PendingUpdate): Update | undefined {
    const kind = Object.keys(pending)[0] ?? '';
    const wanted = this.#allowed === undefined ? !onRequest.has(kind) : this.#allowed.has(kind);
    if (!wanted) return undefined;
    if (pending.callback_query !== undefined) this.#callbacks.add(pending.callback_query.id);
    const update: Update = { update_id: this.#nextId, ...pending };
    this.#nextId += 1;
    return update;
  }

  deliver(update: Update): void {
    this.#pending.push(update);
    this.#webhook?.enqueue(update);
    if (this.#waiter !== undefined) this.#release(this.#batch(this.#waiter.request));
  }

  /** The offset confirms all earlier updates (https://core.telegram.org/bots/api#getupdates). */
  poll(request: PollRequest): Promise<SimulatedAnswer> | SimulatedAnswer {
    if (this.#webhook !== undefined)
      return failure(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    // The newer request wins.
    this.#release(
      failure(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      ),
    );
    this.#allow(request.allowed_updates);
    const { offset = 0, timeout = 0 } = request;
    this.#pending = this.#pending.filter(({ update_id }) => update_id >= offset);
    if (this.#pending.length > 0 || timeout <= 0) return this.#batch(request);
    return new Promise((answer) => {
      const timer = setTimeout(() => this.#release(success([])), timeout * 1000);
      this.#waiter = { request, answer, timer };
    });
  }

  /** Answers a button press. False if it was already answered. */
  answerCallback(id: string): boolean {
    return this.#callbacks.delete(id);
  }

  setWebhook({ url, secret_token, allowed_updates, drop_pending_updates }: WebhookRequest): SimulatedAnswer {
    this.#webhook?.stop();
    this.#webhook = undefined;
    if (drop_pending_updates === true) this.#pending = [];
    this.#allow(allowed_updates);
    if (url !== '') {
      this.#release(failure(409, 'Conflict: terminated by setWebhook request'));
      this.#webhook = new WebhookSender(url, secret_token, (update) => this.#delivered(update));
      for (const update of this.#pending) this.#webhook.enqueue(update);
    }
    return success(true);
  }

  webhookInfo(): SimulatedAnswer {
    const info: WebhookInfo = {
      url: this.#webhook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: this.#pending.length,
      ...this.#webhook?.lastFailure,
      ...(this.#allowed === undefined ? {} : { allowed_updates: [...this.#allowed] as UpdateKind[] }),
    };
    return success(info);
  }

  stop(): void {
    this.#webhook?.stop();
    this.#release(success([]));
  }

  /** Without a value Telegram keeps the previous one. */
  #allow(kinds: readonly string[] | undefined): void {
    if (kinds !== undefined) this.#allowed = kinds.length === 0 ? undefined : new Set(kinds);
  }

  #batch({ limit = 100 }: PollRequest): SimulatedAnswer {
    return success(this.#pending.slice(0, limit));
  }

  #delivered(delivered: Update): void {
    this.#pending = this.#pending.filter(({ update_id }) => update_id !== delivered.update_id);
  }

  /** Responds to the waiting poller. */
  interrupt(answer: SimulatedAnswer): void {
    this.#release(answer);
  }

  #release(answer: SimulatedAnswer): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter === undefined) return;
    clearTimeout(waiter.timer);
    waiter.answer(answer);
  }
}
