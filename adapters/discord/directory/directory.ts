import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import { z } from 'zod';
import { PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import { LruMap } from './lru.js';

/** Maximum number of cached channels. A dropped channel is requested again on use. */
const MAX_CHANNELS = 20_000;
/** Maximum number of channels of a server (https://docs.discord.com/developers/resources/guild). */
const MAX_PER_SERVER = 500;
const VIEW_CHANNEL = 1n << 10n;

const overwrite = z.object({ id: z.string(), deny: z.string().regex(/^\d+$/).catch('0') });
const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  guild_id: z.string().nullish(),
  permission_overwrites: z.array(overwrite).catch([]),
});
const role = z.object({ id: z.string(), name: z.string() });
const roleChangeSchema = z.object({ role });
const guildSchema = z.object({
  id: z.string(),
  roles: z.array(role).catch([]),
  channels: z.array(channelSchema).catch([]),
  threads: z.array(channelSchema).catch([]),
});

export type ChannelKind = 'text' | 'thread' | 'direct' | 'forum' | 'other';

/** The known properties of a channel. */
export interface ChannelInfo {
  readonly kind: ChannelKind;
  readonly name?: string;
  /** The parent channel of a thread. */
  readonly parentId?: string;
  readonly guildId?: string;
  /** Whether every member of the server may see the channel. */
  readonly open: boolean;
}

const nothingKnown: ChannelInfo = { kind: 'other', open: false };

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const kinds: Readonly<Record<number, ChannelKind>> = {
  0: 'text',
  1: 'direct',
  2: 'text',
  5: 'text',
  10: 'thread',
  11: 'thread',
  12: 'thread',
  13: 'text',
  15: 'forum',
  16: 'forum',
};

const changes: ReadonlySet<string> = new Set([
  'CHANNEL_CREATE',
  'CHANNEL_UPDATE',
  'THREAD_CREATE',
  'THREAD_UPDATE',
]);

/**
 * Cache of channels and threads by id, because messages contain only ids. The gateway sends them at login and on
 * changes. An unknown channel, for example after a resume in a new process, is requested once.
 */
export class Directory {
  readonly #channels = new LruMap<ChannelInfo>(MAX_CHANNELS);
  readonly #roles = new LruMap<string>(MAX_CHANNELS);
  readonly #rest: DiscordRest;

  constructor(rest: DiscordRest) {
    this.#rest = rest;
  }

  known(id: unknown): ChannelInfo | undefined {
    return typeof id === 'string' ? this.#channels.get(id) : undefined;
  }

  /** The name of a role, if a server has sent it. */
  role(id: string): string | undefined {
    return this.#roles.get(id);
  }

  /** Records the channels and roles of a dispatch. Returns whether a known channel got another name. */
  learn({ t, d }: GatewayDispatchPayload): boolean {
    if (t === 'GUILD_CREATE') {
      const { data } = guildSchema.safeParse(d);
      for (const each of [...(data?.channels ?? []), ...(data?.threads ?? [])]) this.#note(each, data?.id);
      for (const { id, name } of data?.roles ?? []) this.#roles.set(id, name);
      return false;
    }
    if (t === 'GUILD_ROLE_CREATE' || t === 'GUILD_ROLE_UPDATE') {
      const { data } = roleChangeSchema.safeParse(d);
      if (data !== undefined) this.#roles.set(data.role.id, data.role.name);
    }
    if (t === 'CHANNEL_DELETE' || t === 'THREAD_DELETE') this.#channels.delete(d.id);
    if (!changes.has(t)) return false;
    const { data } = channelSchema.safeParse(d);
    if (data === undefined) return false;
    const before = this.#channels.get(data.id)?.name;
    this.#note(data, undefined);
    return before !== undefined && before !== data.name;
  }

  /** Resolves with the properties of a channel. They are unknown if the bot may not see the channel. */
  async find(id: string, signal?: AbortSignal): Promise<ChannelInfo> {
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    const facts = await this.#ask(id, signal);
    this.#channels.set(id, facts);
    return facts;
  }

  /**
   * Whether a channel has a thread with this id. A negative result is not cached: people may start a thread from a
   * message at any time.
   */
  async isThreadIn(id: string, channelId: string, signal?: AbortSignal): Promise<boolean> {
    const facts = this.#channels.get(id) ?? (await this.#ask(id, signal));
    if (facts.kind !== 'thread') return false;
    this.#channels.set(id, facts);
    return facts.parentId === channelId;
  }

  /** Text channels of a server. Requests them if none is known. */
  async inServer(guildId: string, signal?: AbortSignal): Promise<readonly [string, ChannelInfo][]> {
    const known = this.knownIn(guildId);
    if (known.length > 0) return known;
    const route = `/guilds/${guildId}/channels` as const;
    const answer = await this.#rest.call<unknown>({
      method: 'GET',
      route,
      write: false,
      ...(signal && { signal }),
    });
    for (const each of z.array(channelSchema).catch([]).parse(answer)) this.#note(each, guildId);
    return this.knownIn(guildId);
  }

  /** Like `inServer`, but uses only the cache. Forums are left out by default, because people write in their posts. */
  knownIn(guildId: string, kinds: readonly ChannelKind[] = ['text']): [string, ChannelInfo][] {
    return this.#channels
      .entries()
      .filter(([, facts]) => facts.guildId === guildId && kinds.includes(facts.kind))
      .slice(0, MAX_PER_SERVER);
  }

  async #ask(id: string, signal?: AbortSignal): Promise<ChannelInfo> {
    const route = `/channels/${id}` as const;
    try {
      const answer = await this.#rest.call<unknown>({
        method: 'GET',
        route,
        write: false,
        ...(signal && { signal }),
      });
      const { data } = channelSchema.safeParse(answer);
      return data === undefined ? nothingKnown : factsOf(data, undefined);
    } catch (error) {
      if (error instanceof PlatformError && error.problem.kind === 'rejected') return nothingKnown;
      throw error;
    }
  }

  #note(channel: z.infer<typeof channelSchema>, guildId: string | undefined): void {
    this.#channels.set(channel.id, factsOf(channel, guildId));
  }
}

function factsOf(channel: z.infer<typeof channelSchema>, server: string | undefined): ChannelInfo {
  const kind = kinds[channel.type] ?? 'other';
  const guildId = channel.guild_id ?? server;
  const closed = channel.permission_overwrites.some(
    ({ id, deny }) => id === guildId && (BigInt(deny) & VIEW_CHANNEL) !== 0n,
  );
  return {
    kind,
    open: !closed,
    ...(channel.name ? { name: channel.name } : {}),
    ...(kind === 'thread' && channel.parent_id ? { parentId: channel.parent_id } : {}),
    ...(guildId ? { guildId } : {}),
  };
}
