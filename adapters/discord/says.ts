import type { AttachmentType, Content, ContentAttachment } from '../../src/contract/index.js';
import { type Block, plain, quoted, stacked } from './blocks.js';
import { readCard } from './components.js';
import { type ShownFile, shownFiles } from './files.js';
import { namesIn } from './mentions.js';
import { type Names, parseMarkdown } from './parse.js';
import type { DiscordAttachment, DiscordEmbed, DiscordMessage, DiscordSaid } from './payloads.js';
import { nameOf } from './people.js';
import { embedText, pollText, spokenEmbeds } from './readable.js';

/** Discord puts one copy into a forward. */
const MOST_COPIES = 5;

/** What stickers are files of, by https://docs.discord.com/developers/resources/sticker#sticker-object-sticker-format-types */
const stickerFiles: Readonly<Record<number, readonly [string, string]>> = {
  1: ['png', 'image/png'],
  2: ['png', 'image/apng'],
  3: ['json', 'application/json'],
  4: ['gif', 'image/gif'],
};

/** What a message says, with its files. A forward has nothing of its own but a copy of the original, which is a quote. */
export function contentOf(message: DiscordMessage, facts: Readonly<Record<string, string>> = {}): Content {
  const copies = copiesIn(message);
  const names = namesFor([message, ...copies], facts);
  const own = read(message, names, Boolean(message.author.bot) || Boolean(message.webhook_id));
  const origin = names.get(`#${message.message_reference?.channel_id}`);
  // A copy names no author. One without a link has no previews, so its embeds are those of an app.
  const originals = copies.map((copy) => read(copy, names, !/https?:/i.test(copy.content ?? '')));
  const quotes = originals.map(({ words }) => quoted(words, origin && `#${origin}`));
  const attachments = [own, ...originals].flatMap((each, place) => filesOf(message, each, place));
  return { ...stacked([own.words, ...quotes]), attachments };
}

export const copiesIn = ({ message_snapshots }: DiscordMessage): readonly DiscordSaid[] =>
  (message_snapshots ?? []).slice(0, MOST_COPIES).map((snapshot) => snapshot.message);

function namesFor(all: readonly DiscordSaid[], facts: Readonly<Record<string, string>>): Names {
  const names = new Map<string, string>(namesIn(facts));
  for (const user of all.flatMap(({ mentions }) => mentions ?? []))
    names.set(user.id, nameOf(user, user.member?.nick));
  return names;
}

interface Read {
  readonly said: DiscordSaid;
  readonly words: Block;
  /** The embeds that are part of the words. */
  readonly embeds: readonly DiscordEmbed[];
}

/** The text, the components, the embeds and the poll, as they stand below each other. */
function read(said: DiscordSaid, names: Names, byApp: boolean): Read {
  const parse = (source: string): Block => parseMarkdown(source, names);
  const card = readCard(said.components, parse);
  const written = [said.content ? parse(said.content) : plain(''), ...card.blocks];
  const poll = said.poll ? parse(pollText(said.poll)) : plain('');
  const alone = stacked([...written, poll]).text === '';
  const embeds = spokenEmbeds(said, { byApp, alone });
  const words = stacked([...written, ...embeds.map((embed) => parse(embedText(embed))), poll]);
  const isBare = words.text === '' && !said.attachments?.length && !said.sticker_items?.length;
  return { said, words: isBare ? stacked(card.controls) : words, embeds };
}

function filesOf(message: DiscordMessage, { said, embeds }: Read, place: number): ContentAttachment[] {
  return [
    ...(said.attachments ?? []).map((file) => attachmentOf(message, file)),
    ...shownFiles(said, place, embeds).map((file) => shownOf(message, file)),
    ...(said.sticker_items ?? []).map(stickerOf),
  ];
}

function shownOf(message: DiscordMessage, file: ShownFile): ContentAttachment {
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
}: NonNullable<DiscordSaid['sticker_items']>[number]): ContentAttachment {
  const [extension, mimeType] = stickerFiles[format_type ?? 1] ?? ['png', 'image/png'];
  return { type: 'sticker', remoteRef: `sticker/${id}.${extension}`, name, mimeType };
}

/** Links to files expire within a day, so the reference names the message, of which a fresh link can be had. */
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
 * The name that a file was uploaded with. Discord keeps only ASCII in `filename`; where that loses something, `title` has the
 * name without its extension (https://docs.discord.com/developers/resources/message#attachment-object).
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
