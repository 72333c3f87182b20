import type { AttachmentType, Content, ContentAttachment } from '../../src/contract/index.js';
import { namesIn } from './mentions.js';
import { parseMarkdown } from './parse.js';
import type { DiscordAttachment, DiscordMessage, DiscordSaid } from './payloads.js';
import { nameOf } from './people.js';
import { embedText, pollText } from './readable.js';

/** What stickers are files of, by https://docs.discord.com/developers/resources/sticker#sticker-object-sticker-format-types */
const stickerFiles: Readonly<Record<number, readonly [string, string]>> = {
  1: ['png', 'image/png'],
  2: ['png', 'image/apng'],
  3: ['json', 'application/json'],
  4: ['gif', 'image/gif'],
};

/** What a message says, with its files. A forward has nothing of its own but a copy of the original. */
export function contentOf(message: DiscordMessage, facts: Readonly<Record<string, string>> = {}): Content {
  const names = new Map<string, string>(namesIn(facts));
  for (const user of message.mentions ?? []) names.set(user.id, nameOf(user, user.member?.nick));
  const copies = (message.message_snapshots ?? []).map((snapshot) => snapshot.message);
  const all: readonly DiscordSaid[] = [message, ...copies.slice(0, 1)];
  const written = all.map(({ content }) => content ?? '').find((content) => content !== '');
  const source = written ?? (message.poll ? pollText(message.poll) : wordsOfEmbeds(all));
  const attachments = all.flatMap((said) => [
    ...(said.attachments ?? []).map((file) => attachmentOf(message, file)),
    ...(said.sticker_items ?? []).map(stickerOf),
  ]);
  return { ...parseMarkdown(source, names), attachments };
}

/** Embeds are worth reading where nothing else is said; beside a text they show what its links lead to. */
const wordsOfEmbeds = (all: readonly DiscordSaid[]): string =>
  embedText(all.flatMap(({ embeds }) => embeds ?? []));

function stickerOf({
  id,
  name,
  format_type,
}: NonNullable<DiscordSaid['sticker_items']>[number]): ContentAttachment {
  const [extension, mimeType] = stickerFiles[format_type ?? 1] ?? ['png', 'image/png'];
  return { type: 'sticker', remoteRef: `sticker/${id}.${extension}`, name, mimeType };
}

/** Links to files expire within a day, so the reference names the message, of which a fresh link can be had. */
function attachmentOf(message: DiscordMessage, file: DiscordAttachment): ContentAttachment {
  return {
    type: typeOf(file.content_type),
    remoteRef: `${message.channel_id}/${message.id}/${file.id}`,
    ...(file.filename ? { name: file.filename } : {}),
    ...(file.content_type ? { mimeType: file.content_type } : {}),
    ...(typeof file.size === 'number' ? { sizeBytes: file.size } : {}),
    ...(file.description ? { altText: file.description } : {}),
    ...(typeof file.duration_secs === 'number' ? { durationMs: Math.round(file.duration_secs * 1000) } : {}),
  };
}

function typeOf(mimeType: string | null | undefined): AttachmentType {
  const family = mimeType?.split('/')[0];
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'file';
}
