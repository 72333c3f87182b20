import type { ConversationsHistoryResponse, ConversationsRepliesResponse } from '@slack/web-api';
import { type Answer, type Arguments, failed, type Listed, listed } from './answers.js';
import type { StoredMessage, Workspace } from './workspace.js';

/** Limits of an app that reads histories (docs.slack.dev/apis/web-api/rate-limits). */
export interface HistoryLimit {
  /** Maximum calls per minute of each of the two methods. */
  readonly perMinute: number;
  /** Maximum number of messages per response. It overrides a higher `limit`. */
  readonly objects: number;
}

/** Limits of internal and Marketplace apps (tier 3). */
export const INTERNAL_APP: HistoryLimit = { perMinute: 50, objects: 999 };

/** The scope that users.conversations requires for each channel type. */
const scopeOf: Readonly<Record<string, string>> = {
  public_channel: 'channels:read',
  private_channel: 'groups:read',
  mpim: 'mpim:read',
  im: 'im:read',
};

/** The methods that list messages of channels and threads. */
export class History {
  readonly #workspace: Workspace;
  readonly #limit: HistoryLimit;

  readonly methods: Readonly<Record<string, (args: Arguments) => Answer<object>>> = {
    'conversations.history': (args) => this.#history(args),
    'conversations.replies': (args) => this.#replies(args),
  };

  constructor(workspace: Workspace, limit: HistoryLimit) {
    this.#workspace = workspace;
    this.#limit = limit;
  }

  /** Newest first. Replies appear only in their thread. A deleted root with replies leaves a tombstone. */
  #history(args: Arguments): Answer<ConversationsHistoryResponse> {
    const { channel = '' } = args;
    const found = this.#workspace.channel(channel);
    if (found === undefined) return failed('channel_not_found');
    if (!found.member) return failed('not_in_channel');
    const messages = this.#workspace
      .all(channel)
      .filter((message) => message.threadTs === undefined && isWithin(message, args))
      .filter((message) => !message.deleted || this.#thread(message).length > 0)
      .reverse();
    return this.#page(messages, args);
  }

  /** Oldest first, after the root. For the `ts` of a reply, Slack returns only that reply. */
  #replies(args: Arguments): Answer<ConversationsRepliesResponse> {
    const { channel = '', ts = '' } = args;
    if (this.#workspace.channel(channel) === undefined) return failed('channel_not_found');
    const named = this.#workspace.all(channel).find((message) => message.ts === ts);
    if (named === undefined || (named.deleted && this.#thread(named).length === 0))
      return failed('thread_not_found');
    const replies = this.#thread(named).filter((message) => isWithin(message, args));
    return this.#page([named, ...replies], args);
  }

  #thread(root: StoredMessage): StoredMessage[] {
    return this.#workspace
      .all(root.channel)
      .filter(({ threadTs, deleted }) => threadTs === root.ts && !deleted);
  }

  #page(messages: readonly StoredMessage[], args: Arguments): Answer<ConversationsHistoryResponse> {
    const { items, next } = paged(messages, args, this.#limit.objects);
    const withMetadata = args.include_all_metadata === 'true';
    return {
      ok: true,
      messages: items.map((message) => ({ ...listed(message, withMetadata), ...this.#threadOf(message) })),
      has_more: next !== '',
      response_metadata: { next_cursor: next },
    };
  }

  /** The thread fields of a root: its own `ts` and the number of replies. */
  #threadOf(message: StoredMessage): Partial<Listed> {
    const replies = message.threadTs === undefined ? this.#thread(message) : [];
    const last = replies.at(-1);
    if (last === undefined) return {};
    return { thread_ts: message.ts, reply_count: replies.length, latest_reply: last.ts };
  }
}

/** The scope that is missing for a call of users.conversations. */
export function missingListScope(args: Arguments, scopes: ReadonlySet<string>): string | undefined {
  const types = (args.types ?? 'public_channel').split(',');
  return types.flatMap((type) => scopeOf[type.trim()] ?? []).find((scope) => !scopes.has(scope));
}

function isWithin({ ts }: StoredMessage, { oldest, latest, inclusive }: Arguments): boolean {
  const time = Number(ts);
  const from = oldest === undefined ? Number.NEGATIVE_INFINITY : Number(oldest);
  const to = latest === undefined ? Number.POSITIVE_INFINITY : Number(latest);
  if (inclusive === 'true' || inclusive === '1') return time >= from && time <= to;
  return time > from && time < to;
}

/** A cursor contains an index of the list. */
function paged<T>(all: readonly T[], { cursor, limit = '100' }: Arguments, maxLimit: number) {
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
  const to = from + Math.min(Number(limit), maxLimit);
  return {
    items: all.slice(from, to),
    next: to < all.length ? Buffer.from(String(to)).toString('base64url') : '',
  };
}
