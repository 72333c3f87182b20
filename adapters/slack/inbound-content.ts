import type { AttachmentType, Content, ContentAttachment } from '../../src/contract/index.js';
import type { Facts } from './facts.js';
import { type Names, nameIn, parseBlocks } from './from-blocks.js';
import { parseMrkdwn } from './from-mrkdwn.js';
import type { SlackFile, SlackMessage } from './payloads.js';
import { type ParsedText, Writer } from './text-writer.js';

/** Deleted, or hidden from workspaces of this plan: nothing that could be had. */
const GONE = new Set(['tombstone', 'hidden_by_limit']);

/** What a message says: its blocks, else its text, else what stands in its attachments; and its files. */
export function contentOf(message: SlackMessage, facts: Facts): Content {
  const files = (message.files ?? []).filter((file) => file !== null && !GONE.has(file.mode ?? ''));
  const kept = files.filter((file) => file !== null);
  const { text, spans, pictures } = bodyOf(message, facts);
  const body = withLinks({ text, spans }, kept.filter(isElsewhere));
  return {
    ...(message.subtype === 'me_message' ? inItalics(body) : body),
    attachments: [...kept.filter((file) => !isElsewhere(file)).map(attachmentOf), ...pictures],
  };
}

function bodyOf(
  message: SlackMessage,
  facts: Facts,
): ParsedText & { pictures: readonly ContentAttachment[] } {
  const names: Names = {
    user: (id) => facts.users.get(id)?.displayName,
    channel: (id) => facts.titles.get(id),
  };
  const blocks = parseBlocks(message.blocks, names);
  const pictures = blocks.attachments;
  if (blocks.text !== '') return { ...withShared(blocks, message, names), pictures };
  const { text = '' } = message;
  if (text === '' && pictures.length === 0)
    return { ...parseMrkdwn(fallbackText(message), nameIn(names)), pictures };
  return { ...withShared(parseMrkdwn(text, nameIn(names)), message, names), pictures };
}

/** The messages of others that somebody passes on with words of their own, as quotes below them. */
function withShared(
  { text, spans }: ParsedText,
  { attachments = [] }: SlackMessage,
  names: Names,
): ParsedText {
  const writer = new Writer();
  writer.append({ text, spans });
  for (const { is_share: isShare, text: shared } of attachments) {
    if (isShare !== true || shared === undefined || shared === '') continue;
    if (writer.text !== '') writer.write('\n');
    writer.span('quote', () => writer.append(parseMrkdwn(shared, nameIn(names))));
  }
  return { text: writer.text, spans: writer.sortedSpans() };
}

/** Bots often speak only through attachments. */
function fallbackText({ attachments = [] }: SlackMessage): string {
  return attachments
    .map(({ text, fallback }) => text || fallback || '')
    .filter((text) => text !== '')
    .join('\n');
}

/** `/me` writes about oneself; Slack shows it in italics. */
function inItalics({ text, spans }: ParsedText): ParsedText {
  if (text === '') return { text, spans };
  return { text, spans: [{ mark: 'italic', start: 0, end: text.length }, ...spans] };
}

/** A file that another service keeps is only a link in Slack. */
function isElsewhere({ mode, is_external }: SlackFile): boolean {
  return mode === 'external' || is_external === true;
}

function withLinks(body: ParsedText, files: readonly SlackFile[]): ParsedText {
  const writer = new Writer();
  writer.append(body);
  for (const { external_url, url_private, title, name } of files) {
    const url = external_url ?? url_private;
    if (url === undefined || !/^https?:\/\//.test(url)) continue;
    if (writer.text !== '') writer.write('\n');
    writer.span('link', () => writer.write(title || name || url), url);
  }
  return { text: writer.text, spans: writer.sortedSpans() };
}

/** The private URL needs the bot token, so the file is named by its id only. */
function attachmentOf(file: SlackFile): ContentAttachment {
  const name = file.name ?? file.title;
  return {
    type: attachmentType(file.mimetype),
    remoteRef: file.id,
    ...(name === undefined ? {} : { name }),
    ...(file.mimetype === undefined ? {} : { mimeType: file.mimetype }),
    ...(file.size === undefined ? {} : { sizeBytes: file.size }),
    ...(file.duration_ms === undefined ? {} : { durationMs: Math.round(file.duration_ms) }),
    ...(file.alt_txt === undefined || file.alt_txt === '' ? {} : { altText: file.alt_txt.slice(0, 1_000) }),
  };
}

function attachmentType(mimeType = ''): AttachmentType {
  const [major] = mimeType.split('/');
  return major === 'image' || major === 'video' || major === 'audio' ? major : 'file';
}
