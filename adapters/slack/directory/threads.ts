import {
  type Degradation,
  type JsonObject,
  PlatformError,
  type RemoteChatId,
} from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';

const CAPACITY = 2_000;

/** Which thread a new part belongs to. */
export interface ThreadHint extends JsonObject {
  /** The thread's root. */
  readonly thread_ts?: string;
  /** The message replied to, which may itself stand in a thread. */
  readonly reply_to?: string;
  /** The root of the thread that the message belongs to in its conversation, which may stand in a thread here. */
  readonly thread_root?: string;
  /** An earlier part of the same message: the new part goes where that one is. */
  readonly beside?: string;
}

/** Where a new part goes. */
export interface Placement {
  readonly threadTs?: string;
  /** Degradations: the message replied to or the root is gone. */
  readonly lost?: readonly Degradation[];
}

/**
 * Finds the root of a message's thread. Slack wants the root's `ts` as `thread_ts`, never a reply's
 * (docs.slack.dev/reference/methods/chat.postMessage).
 */
export class Threads {
  readonly #client: SlackClient;
  /** By channel and message: the thread it stands in, or nothing when it stands in the channel itself. */
  readonly #known = new Map<string, string | undefined>();

  constructor(client: SlackClient) {
    this.#client = client;
  }

  async place(chatId: RemoteChatId, hint: ThreadHint, signal?: AbortSignal): Promise<Placement> {
    const { thread_ts: threadTs, reply_to, thread_root, beside } = hint;
    if (threadTs !== undefined) return { threadTs };
    if (beside !== undefined) return (await this.#placeAt(chatId, beside, false, signal)) ?? {};
    const lost: Degradation[] = [];
    for (const [ts, degradation] of [
      [reply_to, 'reply'],
      [thread_root, 'thread'],
    ] as const) {
      if (ts === undefined) continue;
      const found = await this.#placeAt(chatId, ts, true, signal);
      if (found !== undefined) return lost.length === 0 ? found : { ...found, lost };
      lost.push(degradation);
    }
    return lost.length === 0 ? {} : { lost };
  }

  /**
   * Where a part goes that stands beside a message, or in the thread of it where it `opens` one. Undefined: there is no such
   * message. Nothing is written yet, so waiting for Slack is safe.
   */
  async #placeAt(
    chatId: RemoteChatId,
    ts: string,
    opens: boolean,
    signal?: AbortSignal,
  ): Promise<Placement | undefined> {
    // A command, the press of a button or a file that was not yet shared is no message.
    if (!isMessageTs(ts)) return undefined;
    const own = opens ? { threadTs: ts } : {};
    try {
      const thread = await this.#threadOf(chatId, ts, signal);
      return thread === undefined ? own : { threadTs: thread };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.code === 'thread_not_found' || error.code === 'message_not_found') return undefined;
      // Without the history scopes the message is taken for a root, which most are.
      if (error.problem.kind === 'misconfigured') return own;
      throw error;
    }
  }

  /** Remembers where a message of ours went, which saves asking when it is answered or edited. */
  remember(chatId: RemoteChatId, ts: string, threadTs: string | undefined): void {
    this.#known.set(keyOf(chatId, ts), threadTs);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > CAPACITY && oldest !== undefined) this.#known.delete(oldest);
  }

  async #threadOf(chatId: RemoteChatId, ts: string, signal?: AbortSignal): Promise<string | undefined> {
    const key = keyOf(chatId, ts);
    if (this.#known.has(key)) return this.#known.get(key);
    const { messages = [] } = await this.#client.read(
      (web) => web.conversations.replies({ channel: chatId, ts, limit: 1, inclusive: true }),
      signal,
      'chat',
    );
    const message = messages.find((candidate) => candidate.ts === ts) ?? messages[0];
    const root = message?.thread_ts;
    const threadTs = root === ts ? undefined : root;
    this.remember(chatId, ts, threadTs);
    return threadTs;
  }
}

/** Messages are known by the time at which they were written. */
export const isMessageTs = (id: string): boolean => /^\d{1,11}\.\d{1,6}$/.test(id);

function keyOf(chatId: RemoteChatId, ts: string): string {
  return `${chatId}:${ts}`;
}
