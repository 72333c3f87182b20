import type { AttachmentType, Content, ContentAttachment } from '../../../src/contract/index.js';
import { readComponents } from './components.js';
import { contentEmbeds, embedText, pollText } from './embed-text.js';
import { type EmbeddedFile, embeddedFiles } from './embedded-files.js';
import { type Names, parseMarkdown } from './markdown-parser.js';
import { namesIn } from './mentions.js';
import type { DiscordAttachment, DiscordEmbed, DiscordMessage, DiscordMessageContent } from './payloads.js';
import { nameOf } from './people.js';
import { plainBlock, quoteBlock, stackBlocks, type TextBlock } from './text-blocks.js';

/** Maximum number of forwarded copies that are read. A forward normally contains one. */
const MAX_COPIES = 5;

/**
 * File types of stickers (https://docs.discord.com/developers/resources/sticker#sticker-object-sticker-format-types).
 */
const stickerFiles: Readonly<Record<number, readonly [string, string]>> = {
  1: ['png', 'image/png'],
  2: ['png', 'image/apng'],
  3: ['json', 'application/json'],
  4: ['gif', 'image/gif'],
};

/** The content of a message with its files. A forward consists of a copy of the original, which becomes a quote. */
export function contentOf(message: DiscordMessage, facts: Readonly<Record<string, string>> = {}): Content {
  const copies = copiesIn(message);
  const names = namesFor([message, ...copies], facts);
  const own = read(message, names, Boolean(message.author.bot) || Boolean(message.webhook_id));
  const origin = names.get(`#${message.message_reference?.channel_id}`);
  // A copy has no author. Without a link it has no previews, so its embeds come from an app.
  const originals = copies.map((copy) => read(copy, names, !/https?:/i.test(copy.content ?? '')));
  const quotes = originals.map(({ words }) => quoteBlock(words, origin && `#${origin}`));
  const attachments = [own, ...originals].flatMap((each, place) => filesOf(message, each, place));
  return { ...stackBlocks([own.words, ...quotes]), attachments };
}

export const copiesIn = ({ message_snapshots }: DiscordMessage): readonly DiscordMessageContent[] =>
  (message_snapshots ?? []).slice(0, MAX_COPIES).map((snapshot) => snapshot.message);

function namesFor(all: readonly DiscordMessageContent[], facts: Readonly<Record<string, string>>): Names {
  const names = new Map<string, string>(namesIn(facts));
  for (const user of all.flatMap(({ mentions }) => mentions ?? []))
    names.set(user.id, nameOf(user, user.member?.nick));
  return names;
}

interface Read {
  readonly said: DiscordMessageContent;
  readonly words: TextBlock;
  /** The embeds that belong to the content. */
  readonly embeds: readonly DiscordEmbed[];
}

/** The text, the components, the embeds and the poll, one below the other. */
function read(said: DiscordMessageContent, names: Names, byApp: boolean): Read {
  const parse = (source: string): TextBlock => parseMarkdown(source, names);
  const card = readComponents(said.components, parse);
  const written = [said.content ? parse(said.content) : plainBlock(''), ...card.blocks];
  const poll = said.poll ? parse(pollText(said.poll)) : plainBlock('');
  const alone = stackBlocks([...written, poll]).text === '';
  const embeds = contentEmbeds(said, { byApp, alone });
  const words = stackBlocks([...written, ...embeds.map((embed) => parse(embedText(embed))), poll]);
  const isBare = words.text === '' && !said.attachments?.length && !said.sticker_items?.length;
  return { said, words: isBare ? stackBlocks(card.controls) : words, embeds };
}

function filesOf(message: DiscordMessage, { said, embeds }: Read, place: number): ContentAttachment[] {
  return [
    ...(said.attachments ?? []).map((file) => attachmentOf(message, file)),
    ...embeddedFiles(said, place, embeds).map((file) => shownOf(message, file)),
    ...(said.sticker_items ?? []).map(stickerOf),
  ];
}

function shownOf(message: DiscordMessage, file: EmbeddedFile): ContentAttachment {
  const { key, name, contentType, sizeBytes, altText, isPicture } = file;
  return {
    type: contentType === undefined && isPicture ? 'image' : typeOf(contentType),
    remoteRef: `${message.channel_id}/${message.id}/${key}`,
    ...(name === undefined ? {} : { name }),
    ...(contentType === undefined ? {} : { mimeType: contentType }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(altText === undefined ? {} : { altText }),
  };
}

function stickerOf({
  id,
  name,
  format_type,
}: NonNullable<DiscordMessageContent['sticker_items']>[number]): ContentAttachment {
  const [extension, mimeType] = stickerFiles[format_type ?? 1] ?? ['png', 'image/png'];
  return { type: 'sticker', remoteRef: `sticker/${id}.${extension}`, name, mimeType };
}

/** Links to files expire within a day, so the reference names the message, which yields a fresh link. */
function attachmentOf(message: DiscordMessage, file: DiscordAttachment): ContentAttachment {
  const name = fileName(file);
  return {
    type: typeOf(file.content_type),
    remoteRef: `${message.channel_id}/${message.id}/${file.id}`,
    ...(name === undefined ? {} : { name }),
    ...(file.content_type ? { mimeType: file.content_type } : {}),
    ...(typeof file.size === 'number' ? { sizeBytes: file.size } : {}),
    ...(file.description ? { altText: file.description } : {}),
    ...(typeof file.duration_secs === 'number' ? { durationMs: Math.round(file.duration_secs * 1000) } : {}),
  };
}

/**
 * The original file name. Discord reduces `filename` to ASCII. If characters were lost, `title` holds the name without
 * its extension (https://docs.discord.com/developers/resources/message#attachment-object).
 */
export function fileName({
  filename,
  title,
}: Pick<DiscordAttachment, 'filename' | 'title'>): string | undefined {
  const real = title?.trim();
  if (!real) return filename || undefined;
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(filename ?? '')?.[0] ?? '';
  return real.toLowerCase().endsWith(extension.toLowerCase()) ? real : real + extension;
}

function typeOf(mimeType: string | null | undefined): AttachmentType {
  const family = mimeType?.split('/')[0];
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'file';
}
