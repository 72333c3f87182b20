import { ApiError } from '../../api/errors';
import type { Message } from './message-pages';

/** An unsent message. It is stored in the browser until the service has it. */
export interface OutgoingMessage {
  /** The Idempotency-Key of every attempt. */
  readonly key: string;
  readonly conversationId: string;
  readonly text: string;
  /** Whether the text is Markdown. Plain text if absent. */
  readonly isMarkdown?: boolean;
  readonly uploadIds: readonly string[];
  readonly writtenAt: string;
  /** The message being replied to. */
  readonly replyToId?: string;
  /** The scheduled time. Absent sends immediately. */
  readonly sendAt?: string;
  /** Whether it is an internal note, which is not sent to any platform. */
  readonly isInternal?: boolean;
  /** The session of the first attempt. Idempotency keys are valid for one session. */
  readonly triedBy?: string;
  /** The error if the service rejected the message. Other failures are retried. */
  readonly problem?: { readonly status: number; readonly message: string };
}

export interface OutboxOptions {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  /** Identifies the session. A new sign-in has a new value. */
  readonly session: string;
  readonly userId: string;
  readonly send: (message: OutgoingMessage) => Promise<Message>;
  /** Finds the message with this key if an earlier session has sent it. */
  readonly find: (message: OutgoingMessage) => Promise<Message | undefined>;
  readonly sent: (message: Message) => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** Prefix of the storage keys. */
const KEPT = 'outbox.';
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/**
 * Sends messages in order, one at a time per conversation, until the service has accepted or rejected each of them. A message is
 * sent once. All attempts of a session use one Idempotency-Key, and another session first checks whether the message exists.
 */
export class Outbox {
  #messages: readonly OutgoingMessage[];
  readonly #busy = new Set<string>();
  readonly #watchers = new Set<() => void>();
  readonly #prefix: string;

  constructor(private readonly options: OutboxOptions) {
    this.#prefix = `${KEPT}${options.userId}.`;
    this.#messages = this.#read();
  }

  get messages(): readonly OutgoingMessage[] {
    return this.#messages;
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Resumes messages left by an earlier page. */
  resume(): Promise<unknown> {
    return Promise.all(
      [...new Set(this.#messages.map((each) => each.conversationId))].map((id) => this.#run(id)),
    );
  }

  async add(message: OutgoingMessage): Promise<void> {
    this.#put(message);
    await this.#run(message.conversationId);
  }

  /** Retries a rejected message. A scheduled time that has passed is removed, so the request is different and needs a new key. */
  async retry({ problem: _problem, sendAt, ...message }: OutgoingMessage): Promise<void> {
    const isPast = sendAt !== undefined && Date.parse(sendAt) <= Date.now();
    if (isPast) {
      this.#put({ ...message, key: `${message.key}.now` });
      this.discard(message.key);
    } else this.#put(sendAt === undefined ? message : { ...message, sendAt });
    await this.#run(message.conversationId);
  }

  discard(key: string): void {
    this.options.storage.removeItem(this.#prefix + key);
    this.#set(this.#messages.filter((message) => message.key !== key));
  }

  async #run(conversationId: string): Promise<void> {
    if (this.#busy.has(conversationId)) return;
    this.#busy.add(conversationId);
    try {
      for (;;) {
        const next = this.#messages.find((each) => each.conversationId === conversationId && !each.problem);
        if (next === undefined) return;
        await this.#deliver(next);
      }
    } finally {
      this.#busy.delete(conversationId);
    }
  }

  async #deliver(message: OutgoingMessage): Promise<void> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        const accepted = await this.#try(message);
        this.options.sent(accepted);
        this.discard(message.key);
        return;
      } catch (error) {
        if (!isPassing(error)) {
          const status = error instanceof ApiError ? error.status : 0;
          this.#put({ ...message, problem: { status, message: (error as Error).message } });
          return;
        }
        const asked = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1_000 : 0;
        await this.options.wait(Math.max(wait, asked));
      }
    }
  }

  async #try(message: OutgoingMessage): Promise<Message> {
    const { session, find, send } = this.options;
    if (message.triedBy !== undefined && message.triedBy !== session) {
      const earlier = await find(message);
      if (earlier !== undefined) return earlier;
    }
    const tried = { ...message, triedBy: session };
    // Stored before the request, so that a page closed during the request leaves a record of the attempt.
    this.#put(tried);
    return send(tried);
  }

  #put(message: OutgoingMessage): void {
    this.options.storage.setItem(this.#prefix + message.key, JSON.stringify(message));
    const isKnown = this.#messages.some(({ key }) => key === message.key);
    const replaced = this.#messages.map((each) => (each.key === message.key ? message : each));
    this.#set(isKnown ? replaced : [...this.#messages, message]);
  }

  #set(messages: readonly OutgoingMessage[]): void {
    this.#messages = messages;
    for (const watcher of this.#watchers) watcher();
  }

  #read(): OutgoingMessage[] {
    const { storage } = this.options;
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
    const own = keys.filter((key) => key.startsWith(this.#prefix));
    const messages = own.flatMap((key) => parsed(storage.getItem(key)));
    return messages.sort((a, b) => (a.writtenAt < b.writtenAt ? -1 : 1));
  }
}

/** A damaged message cannot be sent. It must not prevent the others from being sent. */
function parsed(text: string | null): OutgoingMessage[] {
  try {
    const message = JSON.parse(text ?? '') as Partial<OutgoingMessage> | null;
    return typeof message?.conversationId === 'string' ? [message as OutgoingMessage] : [];
  } catch {
    return [];
  }
}

/** The number of messages stored in this browser. Works before the session is known. */
export function countUnsent(storage: Pick<Storage, 'key' | 'length'>): number {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(KEPT)).length;
}

/** Whether another attempt with the same key may succeed. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, body } = error;
  return (
    status === 0 || status === 429 || status >= 500 || body.details?.reason === 'idempotency_in_progress'
  );
}
