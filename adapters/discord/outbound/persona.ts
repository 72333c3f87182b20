import { type JsonObject, type Persona, shortened } from '../../../src/contract/index.js';
import { renderMarkdown } from './markdown-renderer.js';

const MAX_NAME_LENGTH = 80;

/**
 * The name and picture of one webhook post. Names that Discord refuses are changed slightly
 * (https://docs.discord.com/developers/resources/webhook#create-webhook).
 */
export function webhookPersona({ displayName, avatarUrl }: Persona): JsonObject {
  return { name: webhookName(displayName), ...(isPicture(avatarUrl) ? { avatar: avatarUrl } : {}) };
}

function webhookName(displayName: string): string {
  const allowed = displayName
    .replaceAll('@', '＠')
    .replaceAll('#', '＃')
    .replaceAll(':', '：')
    .replaceAll('```', "'''")
    .replaceAll(/(dis)(cord)/gi, '$1-$2')
    .replaceAll(/(cly)(de)/gi, '$1-$2')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut = shortened(allowed, MAX_NAME_LENGTH, 'utf16').trim();
  if (cut === '') return 'Unknown';
  return /^(everyone|here)$/i.test(cut) ? `${cut}.` : cut;
}

const isPicture = (url: string | undefined): url is string => url !== undefined && /^https?:\/\//i.test(url);

/** The name that precedes the text if the bot itself writes for a person. */
export const attributionOf = ({ displayName }: Persona): string =>
  `${renderMarkdown({ text: displayName, spans: [] })}: `;

/** Puts the attribution before a rendered text. A block keeps the start of its line. */
export function attributed(attribution: string, text: string): string {
  if (text === '') return attribution.trim();
  return /^(?:> |```|#{1,3} )/.test(text) ? `${attribution.trim()}\n${text}` : attribution + text;
}

/** Webhooks cannot reply, so a line below the text links to the message that is answered. */
export function replyEmbed(
  { message_id, channel_id }: JsonObject,
  chatId: string,
  guildId?: string,
): JsonObject {
  const url = `https://discord.com/channels/${guildId ?? '@me'}/${String(channel_id ?? chatId)}/${String(message_id)}`;
  return { description: `[↪ In reply to this message](${url})` };
}
