import type { APIEmoji } from 'discord-api-types/v10';
import { clock, PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from './directory.js';
import { LruMap } from './lru.js';

const KEPT_MS = 300_000;
const MAX_SERVERS = 1_000;
const VARIATION = '\uFE0F';

interface Kept {
  readonly byName: ReadonlyMap<string, string>;
  readonly until: number;
}

/** Finds the name of a reaction in Discord's routes. */
export class Emojis {
  readonly #rest: DiscordRest;
  readonly #directory: Directory;
  readonly #kept = new LruMap<Kept>(MAX_SERVERS);

  constructor(rest: DiscordRest, directory: Directory) {
    this.#rest = rest;
    this.#directory = directory;
  }

  /**
   * Candidate forms of an emoji, most likely first: a Unicode emoji with and without its variation selector, or the
   * server's own emoji of this name. Throws `unsupported` if the server has none.
   */
  async formsOf(emoji: string, chatId: string, signal: AbortSignal): Promise<readonly string[]> {
    const name = /^:([^:]+):$/.exec(emoji)?.[1];
    if (name === undefined) {
      const bare = emoji.replaceAll(VARIATION, '');
      return [...new Set([emoji, bare, `${bare}${VARIATION}`])];
    }
    const { guildId } = await this.#directory.find(chatId, signal);
    const own = guildId === undefined ? undefined : await this.#of(guildId, signal);
    const found = own?.get(name.toLowerCase());
    if (found !== undefined) return [found];
    throw new PlatformError(
      { kind: 'rejected', reason: 'unsupported' },
      { dispatched: 'no', message: 'The Discord server has no emoji of this name.' },
    );
  }

  async #of(guildId: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const kept = this.#kept.get(guildId);
    if (kept !== undefined && kept.until > clock.now()) return kept.byName;
    const route = `/guilds/${guildId}/emojis` as const;
    const all = await this.#rest.call<APIEmoji[]>({ method: 'GET', route, signal, write: false });
    const byName = new Map(
      all.flatMap(({ id, name }) =>
        id && name ? [[name.toLowerCase(), `${name}:${id}`] as [string, string]] : [],
      ),
    );
    this.#kept.set(guildId, { byName, until: clock.now() + KEPT_MS });
    return byName;
  }
}
