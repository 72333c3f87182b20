import type { APIWebhook } from 'discord-api-types/v10';
import { clock, PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { LruMap } from '../directory/lru.js';

/** What the bridge's webhook is called in the settings of a channel. */
const NAME = 'Trunkline';
/** The type of webhooks that can be posted by. */
const INCOMING = 1;
/** A channel that gives no webhook is asked again no sooner. */
const REFUSED_MS = 600_000;
const KEPT_MS = 3_600_000;
const MAX_CHANNELS = 5_000;

export interface Webhook {
  readonly id: string;
  readonly token: string;
}

/** The webhook by which a chat is written to. */
export interface WebhookTarget {
  readonly webhook: Webhook;
  /** Set when the chat is a thread: webhooks belong to its channel. */
  readonly threadId?: string;
}

interface Kept {
  readonly webhook: Promise<Webhook | undefined>;
  until: number;
}

/**
 * The bridge's one webhook in each channel, found or made when it is first needed. A channel has at most ten, and one
 * that the bot may not look at has none for it. Tokens stay in memory.
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

  /** Undefined where there can be none: direct messages, a missing right, ten webhooks of others. */
  async findWebhook(chatId: string): Promise<WebhookTarget | undefined> {
    const home = await this.#homeOf(chatId);
    if (home === undefined) return undefined;
    const webhook = await this.#of(home);
    if (webhook === undefined) return undefined;
    return { webhook, ...(home === chatId ? {} : { threadId: chatId }) };
  }

  /** The door of one webhook of the bot, whichever it is; undefined when it is gone or someone else's. */
  async findWebhookById(webhookId: string, chatId: string): Promise<WebhookTarget | undefined> {
    const home = await this.#homeOf(chatId);
    if (home === undefined) return undefined;
    const webhook = (await this.#own(home))?.find(({ id }) => id === webhookId);
    if (webhook === undefined) return undefined;
    return { webhook, ...(home === chatId ? {} : { threadId: chatId }) };
  }

  /** Ids of all webhooks of the bot in a chat: what it may have written by. */
  async idsIn(chatId: string): Promise<readonly string[]> {
    const home = await this.#homeOf(chatId);
    return home === undefined ? [] : ((await this.#own(home)) ?? []).map(({ id }) => id);
  }

  /** The webhook turned out to be gone. */
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

  /** Of several the oldest, so that all processes take the same. */
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

  /** The bot's webhooks in a channel, oldest first; undefined when it may not look at them. */
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
