import type { APIWebhook } from 'discord-api-types/v10';
import { clock, PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { LruMap } from '../directory/lru.js';

/** Name of the bridge's webhook in the channel settings. */
const NAME = 'Trunkline';
/** Type of the webhooks that can post messages. */
const INCOMING = 1;
/** Time before a channel that refused a webhook is asked again. */
const REFUSED_MS = 600_000;
const KEPT_MS = 3_600_000;
const MAX_CHANNELS = 5_000;

export interface Webhook {
  readonly id: string;
  readonly token: string;
}

/** The webhook that writes to a chat. */
export interface WebhookTarget {
  readonly webhook: Webhook;
  /** Set if the chat is a thread. The webhook belongs to the parent channel. */
  readonly threadId?: string;
}

interface Kept {
  readonly webhook: Promise<Webhook | undefined>;
  until: number;
}

/**
 * Finds or creates the bridge's webhook of each channel on first use. A channel has at most ten webhooks. A channel
 * whose webhooks the bot may not list gets none. Tokens stay in memory.
 */
export class Webhooks {
  readonly #rest: DiscordRest;
  readonly #directory: Directory;
  readonly #selfId: () => Promise<string>;
  readonly #kept = new LruMap<Kept>(MAX_CHANNELS);

  constructor(rest: DiscordRest, directory: Directory, selfId: () => Promise<string>) {
    this.#rest = rest;
    this.#directory = directory;
    this.#selfId = selfId;
  }

  /**
   * Undefined if the chat can have none: in direct messages, without the permission, or with ten webhooks of others.
   */
  async findWebhook(chatId: string): Promise<WebhookTarget | undefined> {
    const home = await this.#homeOf(chatId);
    if (home === undefined) return undefined;
    const webhook = await this.#of(home);
    if (webhook === undefined) return undefined;
    return { webhook, ...(home === chatId ? {} : { threadId: chatId }) };
  }

  /** The target of a given webhook of the bot. Undefined if it is deleted or belongs to another account. */
  async findWebhookById(webhookId: string, chatId: string): Promise<WebhookTarget | undefined> {
    const home = await this.#homeOf(chatId);
    if (home === undefined) return undefined;
    const webhook = (await this.#own(home))?.find(({ id }) => id === webhookId);
    if (webhook === undefined) return undefined;
    return { webhook, ...(home === chatId ? {} : { threadId: chatId }) };
  }

  /** Ids of all webhooks of the bot in a chat. Each may have written its messages. */
  async idsIn(chatId: string): Promise<readonly string[]> {
    const home = await this.#homeOf(chatId);
    return home === undefined ? [] : ((await this.#own(home)) ?? []).map(({ id }) => id);
  }

  /** Drops a webhook that was deleted. */
  async forget(chatId: string): Promise<void> {
    const home = await this.#homeOf(chatId);
    if (home !== undefined) this.#kept.delete(home);
  }

  async #homeOf(chatId: string): Promise<string | undefined> {
    const { kind, parentId } = await this.#directory.find(chatId);
    if (kind === 'direct' || kind === 'other') return undefined;
    return kind === 'thread' ? parentId : chatId;
  }

  async #of(channelId: string): Promise<Webhook | undefined> {
    const kept = this.#kept.get(channelId);
    if (kept !== undefined && kept.until > clock.now()) return kept.webhook;
    const entry: Kept = { webhook: this.#findOrMake(channelId), until: clock.now() + KEPT_MS };
    this.#kept.set(channelId, entry);
    try {
      const webhook = await entry.webhook;
      if (webhook === undefined) entry.until = clock.now() + REFUSED_MS;
      return webhook;
    } catch (error) {
      this.#kept.delete(channelId);
      throw error;
    }
  }

  /** The oldest of several webhooks, so that all processes use the same one. */
  async #findOrMake(channelId: string): Promise<Webhook | undefined> {
    const own = await this.#own(channelId);
    if (own === undefined) return undefined;
    const [first] = own;
    if (first !== undefined) return first;
    const route = `/channels/${channelId}/webhooks` as const;
    const made = await unlessRefused(
      this.#rest.call<APIWebhook>({ method: 'POST', route, body: { name: NAME }, write: false }),
    );
    return made === undefined ? undefined : usable(made);
  }

  /** The bot's webhooks in a channel, oldest first. Undefined if the bot may not list them. */
  async #own(channelId: string): Promise<Webhook[] | undefined> {
    const route = `/channels/${channelId}/webhooks` as const;
    const selfId = await this.#selfId();
    const all = await unlessRefused(this.#rest.call<APIWebhook[]>({ method: 'GET', route, write: false }));
    return all
      ?.filter(({ user }) => user?.id === selfId)
      .flatMap((each) => usable(each) ?? [])
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }
}

function usable({ id, token, type }: APIWebhook): Webhook | undefined {
  return token === undefined || Number(type) !== INCOMING ? undefined : { id, token };
}

async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PlatformError && error.problem.kind === 'rejected') return undefined;
    throw error;
  }
}
