import type { APIUser, GatewayGuildCreateDispatchData } from 'discord-api-types/v10';
import { apiChannel, type Channel, GUILD, OWNER } from './shapes.js';

const JOINED_AT = '2024-01-01T00:00:00.000000+00:00';
const EVERYTHING = String((1n << 50n) - 1n);

/** A person in the server. */
export interface Member {
  readonly user: APIUser;
  readonly nick: string | null;
  readonly roles: readonly string[];
}

export function memberOf(user: APIUser): Member {
  const state = { deaf: false, mute: false, flags: 0, pending: false };
  const looks = { avatar: null, banner: null, premium_since: null, communication_disabled_until: null };
  return { user, nick: user.global_name, roles: [], ...{ joined_at: JOINED_AT, ...state, ...looks } };
}

const everyone = {
  id: GUILD,
  name: '@everyone',
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  icon: null,
  unicode_emoji: null,
  position: 0,
  permissions: EVERYTHING,
  managed: false,
  mentionable: false,
  flags: 0,
};

export const rolesOfGuild = () => [everyone];

/** An emoji of the server in full (https://docs.discord.com/developers/resources/emoji). */
export const guildEmoji = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  ...{ id, name, roles: [], require_colons: true, managed: false, animated: false, available: true },
});

interface Inhabitants {
  readonly channels: Iterable<Channel>;
  readonly members: readonly Member[];
  readonly emojis: readonly { readonly id: string; readonly name: string }[];
}

/** The server as in REST (https://docs.discord.com/developers/resources/guild). */
export function guildShape({ members, emojis }: Pick<Inhabitants, 'members' | 'emojis'>) {
  return {
    id: GUILD,
    name: 'Simulated server',
    owner_id: OWNER,
    permissions: EVERYTHING,
    roles: rolesOfGuild(),
    emojis: emojis.map(guildEmoji),
    stickers: [],
    features: [],
    ...looks,
    ...rules,
    approximate_member_count: members.length,
    approximate_presence_count: 0,
  };
}

const looks = {
  icon: null,
  splash: null,
  discovery_splash: null,
  banner: null,
  description: null,
  vanity_url_code: null,
  preferred_locale: 'en-US',
  premium_tier: 0,
  premium_subscription_count: 0,
  premium_progress_bar_enabled: false,
};
const rules = {
  region: 'deprecated',
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  system_channel_flags: 0,
  rules_channel_id: null,
  public_updates_channel_id: null,
  safety_alerts_channel_id: null,
  widget_enabled: false,
  widget_channel_id: null,
  application_id: null,
  verification_level: 0,
  default_message_notifications: 0,
  explicit_content_filter: 0,
  mfa_level: 0,
  nsfw_level: 0,
  nsfw: false,
  max_members: 500_000,
  max_presences: null,
  max_video_channel_users: 25,
  max_stage_video_channel_users: 50,
  hub_type: null,
  incidents_data: null,
};

/** The server as in GUILD_CREATE. */
export function guildCreate(inhabitants: Inhabitants): Partial<GatewayGuildCreateDispatchData> {
  const channels = [...inhabitants.channels].filter(({ kind, archived }) => kind !== 'direct' && !archived);
  const shown = (threads: boolean) =>
    channels.filter(({ kind }) => (kind === 'thread') === threads).map(apiChannel);
  const guild = {
    ...guildShape(inhabitants),
    joined_at: JOINED_AT,
    large: false,
    unavailable: false,
    member_count: inhabitants.members.length,
    channels: shown(false),
    threads: shown(true),
    members: inhabitants.members,
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
  return guild as unknown as Partial<GatewayGuildCreateDispatchData>;
}
