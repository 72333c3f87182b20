import { type FormattedText, linkedText } from './formatted-text.js';
import type { OriginPayload, StoryPayload, UserPayload } from './update.js';

const MAX_NAME_LENGTH = 256;

/** The author of a forwarded or quoted message (https://core.telegram.org/bots/api#messageorigin). */
export function originName(origin: OriginPayload): string | undefined {
  switch (origin.type) {
    case 'user':
      return personName(origin.sender_user) ?? origin.sender_user.username;
    case 'hidden_user':
      return clean(origin.sender_user_name);
    case 'chat':
      return signed(chatName(origin.sender_chat), origin.author_signature);
    case 'channel':
      return signed(chatName(origin.chat), origin.author_signature);
  }
}

interface Named {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

export function personName({ first_name, last_name }: Named | UserPayload): string | undefined {
  return clean([first_name, last_name].filter(Boolean).join(' '));
}

interface Chat extends Named {
  readonly title?: string | undefined;
  readonly username?: string | undefined;
}

/** A private chat has the name of its person instead of a title. */
export const chatName = (chat: Chat): string | undefined =>
  clean(chat.title ?? '') ?? personName(chat) ?? chat.username;

function signed(name: string | undefined, signature: string | undefined): string | undefined {
  const author = clean(signature ?? '');
  if (name === undefined || author === undefined) return name ?? author;
  return `${name} (${author})`;
}

const clean = (name: string): string | undefined =>
  name.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH) || undefined;

/** The public link to an item of a chat. Chats without a user name have none. */
export function publicLink(
  { username }: { readonly username?: string | undefined },
  path: string,
): string | undefined {
  return username !== undefined && /^\w{1,64}$/.test(username)
    ? `https://t.me/${username}/${path}`
    : undefined;
}

/** A story as a link, because bots cannot open stories. */
export const storyText = ({ chat, id }: StoryPayload): FormattedText =>
  linkedText('[story]', publicLink(chat, `s/${id}`));
