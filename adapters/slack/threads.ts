import { type JsonObject, PlatformError, type RemoteChatId } from '../../src/contract/index.js';
import type { SlackClient } from './client.js';

const CAPACITY = 2_000;

/** Which thread a new part belongs to; at most one of the fields is there. */
export interface ThreadHint extends JsonObject {
  /** The thread's root. */
  readonly thread_ts?: string;
  /** The message replied to, which may itself stand in a thread. */
  readonly reply_to?: string;
  /** An earlier part of the same message: the new part goes where that one is. */
  readonly beside?: string;
}

/** Where a new part goes. */
export interface Placement {
  readonly threadTs?: string;
  /** The message replied to is gone, so the part goes to the channel. */
  readonly orphaned?: boolean;
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
    if (hint.thread_ts !== undefined) return { threadTs: hint.thread_ts };
    const ts = hint.reply_to ?? hint.beside;
    if (ts === undefined) return {};
    // A command, the press of a button or a file that was not yet shared: there is no message to stand beside.
    if (!isMessageTs(ts)) return hint.reply_to === undefined ? {} : { orphaned: true };
    try {
      const thread = await this.#threadOf(chatId, ts, signal);
      return placement(thread ?? hint.reply_to);
    } catch (error) {
      return withoutKnowledge(error, hint);
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

function placement(threadTs: string | undefined): Placement {
  return threadTs === undefined ? {} : { threadTs };
}

/** Nothing is written yet, so waiting for the platform is safe; what it will never tell is guessed. */
function withoutKnowledge(error: unknown, hint: ThreadHint): Placement {
  if (!(error instanceof PlatformError)) throw error;
  if (error.code === 'thread_not_found' || error.code === 'message_not_found')
    return hint.reply_to === undefined ? {} : { orphaned: true };
  // Without the history scopes the message replied to is taken for a root, which most are.
  if (error.problem.kind === 'misconfigured') return placement(hint.reply_to);
  throw error;
}
