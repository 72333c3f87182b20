import type { z } from 'zod';
import { type RemoteUser, remoteUserId } from '../../../src/contract/index.js';
import type { DiscordMessage, DiscordUser, typingSchema } from './payloads.js';

const AVATARS = 'https://cdn.discordapp.com/avatars';

export const senderOf = (message: DiscordMessage): RemoteUser =>
  remoteUser(message.author, message.member?.nick);

export function remoteUser(user: DiscordUser, nick: string | null | undefined): RemoteUser {
  return {
    id: remoteUserId(user.id),
    displayName: nameOf(user, nick),
    handle: user.username,
    ...(user.avatar ? { avatarUrl: `${AVATARS}/${user.id}/${user.avatar}.png` } : {}),
    ...(user.bot ? { isBot: true } : {}),
  };
}

type Actor = Pick<z.infer<typeof typingSchema>, 'user_id' | 'member'>;

/** The person who acted. In direct chats, and when a reaction is removed, Discord sends only the id. */
export function actorOf({ member, user_id }: Actor): RemoteUser {
  return member?.user ? remoteUser(member.user, member.nick) : { id: remoteUserId(user_id) };
}

export const nameOf = (user: DiscordUser, nick: string | null | undefined): string =>
  nick || user.global_name || user.username;
