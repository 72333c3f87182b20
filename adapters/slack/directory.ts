import type { JsonObject, JsonValue } from '../../src/contract/index.js';
import { clock } from '../../src/contract/index.js';
import type { SlackClient } from './client.js';
import type { Facts, UserFact } from './facts.js';

/** Slack waits three seconds for an acknowledgement; names may take a part of that. */
const LOOKUP_TIMEOUT_MS = 1_500;
const KEEP_MS = 3_600_000;
/** So that a missing scope or an outage does not slow every event. */
const KEEP_FAILURE_MS = 60_000;
const CAPACITY = 5_000;
const MOST_USERS_PER_EVENT = 10;
const MOST_CHANNELS_PER_EVENT = 5;

/** Names of people and channels, asked once and kept for a while. A name that can't be had is simply missing. */
export class Directory {
  readonly #users: Cache<UserFact>;
  readonly #titles: Cache<string>;

  constructor(client: () => SlackClient) {
    this.#users = new Cache(async (user, signal) => {
      const answer = await client().read((web) => web.users.info({ user }), signal);
      return answer.user === undefined ? undefined : userFact(answer.user);
    });
    this.#titles = new Cache(async (channel, signal) => {
      const answer = await client().read((web) => web.conversations.info({ channel }), signal);
      return answer.channel?.name;
    });
  }

  /** The names an event mentions. Never fails. */
  async factsFor(event: JsonValue | undefined): Promise<Pick<Facts, 'users' | 'titles'>> {
    if (!isObject(event)) return { users: new Map(), titles: new Map() };
    const [users, titles] = await Promise.all([
      this.#users.all(idsIn(event, PEOPLE, MOST_USERS_PER_EVENT)),
      this.#titles.all(idsIn(event, CHANNELS, MOST_CHANNELS_PER_EVENT)),
    ]);
    return { users, titles };
  }

  /** Forgets a person or channel whose name changed. */
  forget(id: string): void {
    this.#users.delete(id);
    this.#titles.delete(id);
  }
}

interface Kept<T> {
  readonly value: Promise<T | undefined>;
  readonly until: number;
}

/** A small least-recently-used cache that shares lookups under way. */
class Cache<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #find: (id: string, signal: AbortSignal) => Promise<T | undefined>;

  constructor(find: (id: string, signal: AbortSignal) => Promise<T | undefined>) {
    this.#find = find;
  }

  async all(ids: readonly string[]): Promise<Map<string, T>> {
    const found = await Promise.all(ids.map(async (id) => [id, await this.#get(id)] as const));
    return new Map(found.filter((entry): entry is [string, Awaited<T>] => entry[1] !== undefined));
  }

  delete(id: string): void {
    this.#kept.delete(id);
  }

  #get(id: string): Promise<T | undefined> {
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.until > clock.now()) {
      this.#put(id, kept);
      return kept.value;
    }
    const value = this.#find(id, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)).catch(() => {
      this.#put(id, { value: Promise.resolve(undefined), until: clock.now() + KEEP_FAILURE_MS });
      return undefined;
    });
    this.#put(id, { value, until: clock.now() + KEEP_MS });
    return value;
  }

  /** A map keeps the order of insertion, so the oldest use stands first. */
  #put(id: string, kept: Kept<T>): void {
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > CAPACITY && oldest !== undefined) this.#kept.delete(oldest);
  }
}

interface RemoteUserRecord {
  readonly name?: string;
  readonly real_name?: string;
  readonly locale?: string;
  readonly is_bot?: boolean;
  readonly profile?: {
    readonly display_name?: string;
    readonly real_name?: string;
    readonly image_192?: string;
  };
}

function userFact({ name, real_name, locale, is_bot, profile = {} }: RemoteUserRecord): UserFact | undefined {
  const displayName = profile.display_name || profile.real_name || real_name || name;
  if (displayName === undefined || displayName === '') return undefined;
  return {
    displayName,
    ...(name ? { handle: name } : {}),
    ...(profile.image_192 ? { avatarUrl: profile.image_192 } : {}),
    ...(locale ? { locale } : {}),
    ...(is_bot ? { isBot: true } : {}),
  };
}

/** The people of an event and those mentioned in it, wherever their ids stand. */
const PEOPLE = [/"(?:user|user_id)":(?:\{"id":)?"([UW][A-Z0-9]+)"/g, /<@([UW][A-Z0-9]+)/g];
/** Direct chats have no name. */
const CHANNELS = [/"(?:channel|channel_id)":(?:\{"id":)?"([CG][A-Z0-9]+)"/g];

function idsIn(event: JsonObject, patterns: readonly RegExp[], most: number): string[] {
  const json = JSON.stringify(event);
  const found = patterns.flatMap((pattern) => [...json.matchAll(pattern)].map(([, id = '']) => id));
  return [...new Set(found)].slice(0, most);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
