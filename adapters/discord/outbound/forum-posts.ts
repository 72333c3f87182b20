import type { APIChannel, APIMessage } from 'discord-api-types/v10';
import { type AdapterHost, type JsonObject, PlatformError, shortened } from '../../../src/contract/index.js';
import { bodyOf } from '../client/files.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { parseMarkdown } from '../inbound/markdown-parser.js';

const MAX_TITLE_LENGTH = 100;

/**
 * A forum contains posts, which are threads. A message to a forum opens a post, whose thread has the id of its first
 * message. Further parts of the message go into the same post.
 */
export class ForumPosts {
  readonly #rest: DiscordRest;
  readonly #directory: Directory;
  readonly #host: AdapterHost;

  constructor(rest: DiscordRest, directory: Directory, host: AdapterHost) {
    this.#rest = rest;
    this.#directory = directory;
    this.#host = host;
  }

  async isForum(chatId: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#directory.find(chatId, signal)).kind === 'forum';
  }

  /** Opens a post. Resolves with the id of its first message. */
  async open(forumId: string, message: JsonObject, signal: AbortSignal): Promise<string> {
    const { files, ...rest } = message;
    const name = titleOf(String(message.content ?? ''));
    const body = await bodyOf({ name, message: rest, ...(files === undefined ? {} : { files }) }, this.#host);
    const route = `/channels/${forumId}/threads` as const;
    const thread = await this.#rest.record<APIChannel & { readonly message?: APIMessage }>({
      method: 'POST',
      route,
      body,
      signal,
      write: true,
    });
    return thread.message?.id ?? thread.id;
  }

  /** The post with one of the bot's messages. Without a message id, the bot's latest post. */
  async holding(
    forumId: string,
    messageId: string | undefined,
    owners: readonly string[],
    signal: AbortSignal,
  ): Promise<string> {
    const { guildId } = await this.#directory.find(forumId, signal);
    const route = `/guilds/${guildId}/threads/active` as const;
    const { threads } = await this.#rest.call<{ readonly threads: readonly APIChannel[] }>({
      method: 'GET',
      route,
      signal,
      write: false,
    });
    const before = threads
      .filter((thread) => 'parent_id' in thread && thread.parent_id === forumId)
      .filter((thread) => 'owner_id' in thread && owners.includes(String(thread.owner_id)))
      .map(({ id }) => BigInt(id))
      .filter((id) => messageId === undefined || id <= BigInt(messageId));
    const last = before.reduce((a, b) => (a > b ? a : b), 0n);
    if (last > 0n) return String(last);
    throw new PlatformError(
      { kind: 'rejected', reason: 'edit_expired' },
      { dispatched: 'no', message: 'The Discord post is closed or does not exist any more.' },
    );
  }
}

/** The first line that contains visible text. */
export function titleOf(content: string): string {
  const lines = parseMarkdown(content, new Map()).text.split('\n');
  const line = lines.find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  return shortened(line, MAX_TITLE_LENGTH, 'utf16').trim() || 'Message';
}
