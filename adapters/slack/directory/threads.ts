import {
  type Degradation,
  type JsonObject,
  PlatformError,
  type PlatformProblem,
  type RemoteChatId,
} from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';

const CAPACITY = 2_000;

/** The thread that a new part belongs to. */
export interface ThreadHint extends JsonObject {
  /** The thread's root. */
  readonly thread_ts?: string;
  /** The message replied to. It may itself be in a thread. */
  readonly reply_to?: string;
  /** The root of the message's thread in its conversation. On Slack it may itself be in a thread. */
  readonly thread_root?: string;
  /** An earlier part of the same message. The new part goes to the same place. */
  readonly same_thread_as?: string;
}

/** The place of a new part. */
export interface Placement {
  readonly threadTs?: string;
  /** Degradations: the message replied to or the root is deleted. */
  readonly lost?: readonly Degradation[];
}

/**
 * Finds the root of a message's thread. `thread_ts` must be the root's `ts`, never a reply's
 * (docs.slack.dev/reference/methods/chat.postMessage).
 */
export class Threads {
  readonly #client: SlackClient;
  /** The thread of a message, by channel and message. Nothing if the message is in the channel itself. */
  readonly #known = new Map<string, string | undefined>();

  constructor(client: SlackClient) {
    this.#client = client;
  }

  async place(chatId: RemoteChatId, hint: ThreadHint, signal?: AbortSignal): Promise<Placement> {
    const { thread_ts: threadTs, reply_to, thread_root, same_thread_as: sibling } = hint;
    if (threadTs !== undefined) return { threadTs };
    if (sibling !== undefined) return (await this.#placeAt(chatId, sibling, false, signal)) ?? {};
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
   * The place of a part next to a message, or in a thread that it `opens`. Undefined if the message does not exist.
   * Nothing is written yet, so waiting for Slack is safe.
   */
  async #placeAt(
    chatId: RemoteChatId,
    ts: string,
    opens: boolean,
    signal?: AbortSignal,
  ): Promise<Placement | undefined> {
    // A command, a button press or a file that is not shared yet is no message.
    if (!isMessageTs(ts)) return undefined;
    const own = opens ? { threadTs: ts } : {};
    try {
      const thread = await this.#threadOf(chatId, ts, signal);
      return thread === undefined ? own : { threadTs: thread };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.code === 'thread_not_found' || error.code === 'message_not_found') return undefined;
      // If the app may not read the message, it counts as a root, which most messages are.
      if (isForbidden(error.problem)) return own;
      throw error;
    }
  }

  /** Stores the place of a message of the bridge. This saves a request when the message gets a reply or an edit. */
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

const isForbidden = (problem: PlatformProblem): boolean =>
  problem.kind === 'misconfigured' || (problem.kind === 'rejected' && problem.reason === 'forbidden');

/** Whether the id is a message timestamp. Slack identifies a message by its time. */
export const isMessageTs = (id: string): boolean => /^\d{1,11}\.\d{1,6}$/.test(id);

function keyOf(chatId: RemoteChatId, ts: string): string {
  return `${chatId}:${ts}`;
}
