import { type Api, GrammyError } from 'grammy';
import { type Destination, type InboundEvent, PlatformError } from '../../../src/contract/index.js';
import { platformErrorOf } from '../client/errors.js';
import { clientSignal } from '../client/transport.js';

const MAX_CHATS = 10_000;

/** The request parameter that names the thread. */
export interface ThreadParameter {
  readonly message_thread_id?: number;
  readonly direct_messages_topic_id?: number;
}

/**
 * Knows which chats are the direct messages of a channel. Their topics and those of forums are both numbers, but
 * requests name them with different parameters. Updates contain the kind of a chat. A process that has seen no update
 * learns the kind from a refused request.
 */
export class DirectTopics {
  readonly #known = new Map<string, boolean>();

  constructor(private readonly api: Api) {}

  learn(events: readonly InboundEvent[]): void {
    for (const event of events)
      if (event.type === 'message' && event.chat.threadId !== undefined)
        this.#keep(event.chat.id, event.chat.threadIsChat === true);
  }

  holds({ chatId, threadId }: Destination): boolean {
    return threadId !== undefined && this.#known.get(chatId) === true;
  }

  /** The General topic has no id: a request addresses it by omitting the parameter. */
  placeOf(to: Destination): ThreadParameter {
    const thread = topicNumber(to);
    if (thread === undefined) return {};
    return this.holds(to) ? { direct_messages_topic_id: thread } : { message_thread_id: thread };
  }

  /**
   * Writes, and writes again if the refusal shows that the chat is of the other kind. A refused request wrote nothing.
   */
  async write<T>(to: Destination, signal: AbortSignal, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      const isRefused = error instanceof GrammyError && error.error_code === 400;
      if (!isRefused || !this.#isUnknown(to)) throw error;
      this.#keep(to.chatId, await this.#ask(to, signal));
      if (!this.holds(to)) throw error;
      return write();
    }
  }

  /** Only supergroups can be the direct messages of a channel. Their ids begin with -100. */
  #isUnknown(to: Destination): boolean {
    return topicNumber(to) !== undefined && to.chatId.startsWith('-100') && !this.#known.has(to.chatId);
  }

  async #ask({ chatId }: Destination, signal: AbortSignal): Promise<boolean> {
    try {
      const chat = await this.api.raw.getChat({ chat_id: chatId }, clientSignal(signal));
      return chat.is_direct_messages === true;
    } catch (error) {
      const { problem, message, code } = platformErrorOf(error, true);
      throw new PlatformError(problem, {
        dispatched: 'no',
        message,
        ...(code === undefined ? {} : { code }),
      });
    }
  }

  #keep(chatId: string, direct: boolean): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_CHATS && oldest !== undefined && !this.#known.has(chatId))
      this.#known.delete(oldest);
    this.#known.set(chatId, direct);
  }
}

function topicNumber({ threadId }: Destination): number | undefined {
  const thread = threadId === undefined ? Number.NaN : Number(threadId);
  return Number.isSafeInteger(thread) && thread > 0 ? thread : undefined;
}
