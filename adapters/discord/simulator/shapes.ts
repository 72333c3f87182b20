import type {
  APIChannel,
  APIMessage,
  APIUser,
  RESTPostAPIInteractionCallbackJSONBody,
} from 'discord-api-types/v10';
import type { SimulatedFile, SimulatedMessage } from '../../../src/contract/simulation/index.js';
import { snowflakeTime } from '../snowflake.js';
import type { Extras } from './extras.js';

/** The one server. */
export const GUILD = '800000000000000001';
/** Creator of the server and of its initial threads. */
export const OWNER = '900000000000000000';

export interface Channel {
  readonly id: string;
  name: string;
  readonly kind: 'guild' | 'thread' | 'direct' | 'forum';
  readonly recipient?: APIUser;
  /** The parent channel and the creator of a thread. */
  readonly parentId?: string;
  readonly ownerId?: string;
  /**
   * State of a thread. A locked one accepts messages of moderators only. An archived one reopens with the next message.
   */
  locked?: boolean;
  archived?: boolean;
  /** Message ids by nonce, for `enforce_nonce`. */
  readonly nonces: Map<string, string>;
  readonly messages: Map<string, Stored>;
}

export interface Interaction {
  readonly token: string;
  readonly at: number;
  answer?: RESTPostAPIInteractionCallbackJSONBody;
}

export interface Stored {
  message: APIMessage;
  deleted: boolean;
  /** User ids by emoji. */
  readonly reactions: Map<string, Set<string>>;
}

export interface Draft extends Extras {
  /** Id of the message. The first message of a forum post has the id of its thread. */
  readonly id?: string | undefined;
  readonly webhookId?: string | undefined;
  /** Allowed mentions (https://docs.discord.com/developers/resources/message#allowed-mentions-object). */
  readonly allowed?: { readonly everyone: boolean; readonly roles: boolean };
  readonly content: string;
  readonly replyToId?: string | undefined;
  readonly nonce?: string | undefined;
  readonly files?: readonly SimulatedFile[] | undefined;
}

const types = { guild: 0, direct: 1, thread: 11, forum: 15 } as const;

/** A channel as in REST. */
export function apiChannel(channel: Channel): APIChannel {
  const { id, name, recipient, kind, parentId, ownerId } = channel;
  const last_message_id = [...channel.messages.keys()].at(-1) ?? null;
  if (recipient !== undefined)
    return { id, type: 1, name: null, recipients: [recipient], last_message_id, flags: 0 as never };
  const base = { id, type: types[kind], name, guild_id: GUILD, last_message_id, permission_overwrites: [] };
  const rules = { rate_limit_per_user: 0, flags: 0 };
  const thread = { parent_id: parentId, owner_id: ownerId ?? OWNER, ...threadFacts(channel) };
  const room = { position: 0, parent_id: null, topic: null, nsfw: false, last_pin_timestamp: null };
  return { ...base, ...rules, ...(kind === 'thread' ? thread : room) } as unknown as APIChannel;
}

/** https://docs.discord.com/developers/resources/channel#thread-metadata-object */
function threadFacts({ id, archived, locked, messages }: Channel) {
  const since = new Date(snowflakeTime(id)).toISOString().replace('Z', '000+00:00');
  return {
    thread_metadata: {
      archived: archived ?? false,
      auto_archive_duration: 1440,
      archive_timestamp: since,
      create_timestamp: since,
      locked: locked ?? false,
    },
    message_count: messages.size,
    total_message_sent: messages.size,
    member_count: 1,
  };
}

/** An account. */
export function person(id: string, username: string, displayName: string): APIUser {
  return {
    id,
    username,
    discriminator: '0',
    global_name: displayName,
    avatar: null,
    public_flags: 0 as never,
  };
}

/** Ids of mentioned roles. */
export const rolesIn = (content: string) => [...content.matchAll(/<@&(\d+)>/g)].map(([, id]) => id ?? '');

/** Group mentions that ping. */
export function pingsOf({ mention_everyone, mention_roles }: APIMessage): Pick<SimulatedMessage, 'pings'> {
  const pings = [...(mention_everyone ? ['everyone'] : []), ...mention_roles];
  return pings.length === 0 ? {} : { pings };
}

/** A message whose files have links with this signature. */
export function signed(message: APIMessage, signature: string): APIMessage {
  if (message.attachments.length === 0) return message;
  const link = (url: string) => url.replace(/hm=\w+$/, `hm=${signature}`);
  const attachments = message.attachments.map((each) => ({
    ...each,
    url: link(each.url),
    proxy_url: link(each.proxy_url),
  }));
  return { ...message, attachments };
}
