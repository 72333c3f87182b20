/** A token bucket that refills at a steady rate. */
class Bucket {
  #level: number;
  #at = Date.now();

  constructor(
    readonly reserve: number,
    readonly perSecond: number,
  ) {
    this.#level = reserve;
  }

  /** Milliseconds until a token is available; 0 if one is. */
  waitMs(): number {
    const now = Date.now();
    this.#level = Math.min(this.reserve, this.#level + ((now - this.#at) / 1000) * this.perSecond);
    this.#at = now;
    return this.#level >= 1 ? 0 : ((1 - this.#level) / this.perSecond) * 1000;
  }

  take(): void {
    this.#level -= 1;
  }
}

/** Burst size in one chat. Telegram tolerates "short bursts" without a published number. */
const BURST = 3;

/**
 * One message per second in a chat, 20 per minute in a group, 30 per second in total
 * (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
 */
export class SendLimits {
  readonly #account: Bucket;
  readonly #chats = new Map<number, Bucket>();

  constructor(private readonly faster: number) {
    this.#account = new Bucket(30 * faster, 30 * faster);
  }

  /** Milliseconds to wait. 0 if the message may pass; it then counts. */
  strike(chatId: number): number {
    const chat = this.#chats.get(chatId) ?? this.#bucketOf(chatId);
    this.#chats.set(chatId, chat);
    const waitMs = Math.max(this.#account.waitMs(), chat.waitMs());
    if (waitMs > 0) return waitMs;
    this.#account.take();
    chat.take();
    return 0;
  }

  #bucketOf(chatId: number): Bucket {
    return chatId > 0 ? new Bucket(BURST, this.faster) : new Bucket(20, (this.faster * 20) / 60);
  }
}
