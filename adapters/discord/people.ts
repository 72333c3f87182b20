import { type RemoteUser, remoteUserId } from '../../src/contract/index.js';
import type { DiscordMessage, DiscordUser } from './payloads.js';

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

export const nameOf = (user: DiscordUser, nick: string | null | undefined): string =>
  nick || user.global_name || user.username;
