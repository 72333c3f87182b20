import type { JsonObject, JsonValue } from '../../../src/contract/index.js';
import type { SlackClient } from '../client/transport.js';
import type { EventContext, UserProfile } from '../inbound/event-context.js';
import { NameCache } from './name-cache.js';

const MAX_USERS_PER_EVENT = 20;
const MAX_CHANNELS_PER_EVENT = 10;
const MAX_GROUPS_PER_EVENT = 20;
const ALL_GROUPS = 'all';

/** Names of people, channels and user groups, requested once and cached. Unknown names are left out. */
export class Directory {
  readonly #users: NameCache<UserProfile>;
  readonly #titles: NameCache<string>;
  /** Slack has no method for a single group. */
  readonly #groups: NameCache<ReadonlyMap<string, string>>;

  constructor(client: () => SlackClient) {
    this.#users = new NameCache(async (user, signal) => {
      const answer = await client().read((web) => web.users.info({ user }), signal);
      return answer.user === undefined ? undefined : userFact(answer.user);
    });
    this.#titles = new NameCache(async (channel, signal) => {
      const answer = await client().read((web) => web.conversations.info({ channel }), signal);
      return answer.channel?.name;
    });
    this.#groups = new NameCache(async (_, signal) => {
      const { usergroups = [] } = await client().read((web) => web.usergroups.list(), signal);
      return new Map(usergroups.map(({ id = '', handle, name }) => [id, handle || name || ''] as const));
    });
  }

  /** Looks up the names that an event mentions. Never fails. */
  async factsFor(event: JsonValue | undefined): Promise<Pick<EventContext, 'users' | 'titles' | 'groups'>> {
    if (!isObject(event)) return { users: new Map(), titles: new Map() };
    const ids = idsIn(event);
    const [users, titles, groups] = await Promise.all([
      this.#users.all(ids.users),
      this.#titles.all(ids.channels),
      this.#groupNames(ids.groups),
    ]);
    return { users, titles, ...(groups.size === 0 ? {} : { groups }) };
  }

  /** Drops a person or channel whose name changed. */
  forget(id: string): void {
    this.#users.delete(id);
    this.#titles.delete(id);
  }

  async #groupNames(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const all = (await this.#groups.all([ALL_GROUPS])).get(ALL_GROUPS);
    return new Map(ids.flatMap((id) => (all?.get(id) ? [[id, all.get(id) ?? ''] as const] : [])));
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

function userFact({
  name,
  real_name,
  locale,
  is_bot,
  profile = {},
}: RemoteUserRecord): UserProfile | undefined {
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

/** The ids of an event anywhere in its payload: acting, mentioned and selected people, channels and groups. */
const PEOPLE = [/"(?:user|user_id|author_id)":(?:\{"id":)?"([UW][A-Z0-9]+)"/g, /<@([UW][A-Z0-9]+)/g];
/** Direct chats have no name. */
const CHANNELS = [/"(?:channel|channel_id)":(?:\{"id":)?"([CG][A-Z0-9]+)"/g];
const GROUPS = [/"usergroup_id":"(S[A-Z0-9]+)"/g, /<!subteam\^(S[A-Z0-9]+)>/g];
const CHOSEN = /"selected_(?:user|channel|conversation)s?":(?:"[A-Z0-9]+"|\[[A-Z0-9",]*\])/g;

interface MentionedIds {
  readonly users: readonly string[];
  readonly channels: readonly string[];
  readonly groups: readonly string[];
}

function idsIn(event: JsonObject): MentionedIds {
  const json = JSON.stringify(event);
  const chosen = (json.match(CHOSEN) ?? []).flatMap((part) => part.match(/(?<=")[A-Z][A-Z0-9]+(?=")/g) ?? []);
  const found = (patterns: readonly RegExp[], initials: string, limit: number) => {
    const named = patterns.flatMap((pattern) => [...json.matchAll(pattern)].map(([, id = '']) => id));
    const all = [...named, ...chosen.filter((id) => initials.includes(id.charAt(0)))];
    return [...new Set(all)].slice(0, limit);
  };
  return {
    users: found(PEOPLE, 'UW', MAX_USERS_PER_EVENT),
    channels: found(CHANNELS, 'CG', MAX_CHANNELS_PER_EVENT),
    groups: found(GROUPS, 'S', MAX_GROUPS_PER_EVENT),
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
