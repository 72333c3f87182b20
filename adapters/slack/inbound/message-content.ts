import type { Content, ContentAttachment } from '../../../src/contract/index.js';
import type { EventContext } from './event-context.js';
import { isPlaceholder, kindOf, type ParsedAttachment, parseAttachment } from './from-attachments.js';
import { type ParsedBlocks, parseBlocks } from './from-blocks.js';
import { MAX_ATTACHMENTS, type ParsedFiles, parseFiles } from './from-files.js';
import { readMrkdwn } from './from-mrkdwn.js';
import { type Names, StyleBudget } from './names.js';
import { filesSchema, type SlackAttachment, type SlackMessage } from './payloads.js';
import { newLine } from './rich-text.js';
import { type ParsedText, Writer } from './text-writer.js';

export const namesIn = (eventContext: EventContext): Names => ({
  user: (id) => eventContext.users.get(id)?.displayName,
  channel: (id) => eventContext.titles.get(id),
  group: (id) => eventContext.groups?.get(id),
  styles: new StyleBudget(),
});

/**
 * The content of a message: its own text, then cards and shared messages, then files. Empty only if the payload has
 * nothing to show.
 */
export function contentOf(message: SlackMessage, eventContext: EventContext): Content {
  const names = namesIn(eventContext);
  const blocks = parseBlocks(message.blocks, names);
  const own = ownWords(message, blocks, names);
  const { shown, unfurled } = attachmentsOf(message, names);
  const files = parseFiles([
    ...(message.files ?? []),
    ...(filesSchema.parse([...blocks.files]) ?? []),
    ...shown.flatMap((one) => one.files),
  ]);
  const pictures = [blocks.attachments, ...shown.map((one) => one.pictures)].flat();
  const body = withLinks(joined([own, ...shown]), files.links);
  const content = bounded(body, [...files.attachments, ...pictures]);
  if (content.text !== '' || content.attachments.length > 0) return content;
  return lastResort(message, { blocks, shown, unfurled: () => unfurled.map(read(names)), files });
}

const read = (names: Names) => (attachment: SlackAttachment) => parseAttachment(attachment, names);

/** Slack shows the blocks. The text replaces them in notifications, and also counts if the blocks have no words. */
function ownWords(message: SlackMessage, blocks: ParsedBlocks, names: Names): ParsedText {
  const source = message.text ?? '';
  const said = blocks.prose ? blocks : textWithBlocks(source, blocks, names);
  return message.subtype === 'me_message' ? inItalics(said) : said;
}

function textWithBlocks(source: string, blocks: ParsedBlocks, names: Names): ParsedText {
  const text = isPlaceholder(source) ? noText : readMrkdwn(source, names);
  return repeats(text, blocks) ? blocks : joined([text, blocks]);
}

const MAX_COMPARED = 10_000_000;

const noText: ParsedText = { text: '', spans: [] };

/** Whether the text of a message only repeats its tables. */
function repeats({ text }: ParsedText, { text: cells }: ParsedBlocks): boolean {
  if (cells === '') return false;
  const distinct = [...new Set(cells.split(/ \| |\n/))];
  // Repeating a large table does less harm than comparing all of it.
  return distinct.length * text.length <= MAX_COMPARED && distinct.every((cell) => text.includes(cell));
}

function attachmentsOf({ attachments = [], bot_id, subtype }: SlackMessage, names: Names) {
  const byProgram = bot_id !== undefined || subtype === 'bot_message';
  const kinds = attachments.map((one) => [one, kindOf(one, byProgram)] as const);
  return {
    shown: kinds.filter(([, kind]) => kind !== 'unfurl').map(([one]) => parseAttachment(one, names)),
    unfurled: kinds.filter(([, kind]) => kind === 'unfurl').map(([one]) => one),
  };
}

function joined(texts: readonly ParsedText[]): ParsedText {
  const writer = new Writer();
  for (const each of texts) {
    if (each.text === '') continue;
    newLine(writer);
    writer.append(each);
  }
  return { text: writer.text, spans: writer.sortedSpans() };
}

/** `/me` writes about the sender. Slack shows it in italics. */
function inItalics({ text, spans }: ParsedText): ParsedText {
  if (text === '') return { text, spans };
  return { text, spans: [{ mark: 'italic', start: 0, end: text.length }, ...spans] };
}

function withLinks(body: ParsedText, links: ParsedFiles['links']): ParsedText {
  if (links.length === 0) return body;
  const writer = new Writer();
  writer.append(body);
  for (const { title, url } of links) {
    newLine(writer);
    writer.span('link', () => writer.write(title), url);
  }
  return { text: writer.text, spans: writer.sortedSpans() };
}

/** Files precede pictures. Pictures above the limit become links. */
function bounded(body: ParsedText, all: readonly ContentAttachment[]): Content {
  const links = all
    .slice(MAX_ATTACHMENTS)
    .flatMap(({ name, altText, url }) => (url === undefined ? [] : [{ title: name || altText || url, url }]));
  return { ...withLinks(body, links), attachments: all.slice(0, MAX_ATTACHMENTS) };
}

interface Parsed {
  readonly blocks: ParsedBlocks;
  readonly shown: readonly ParsedAttachment[];
  readonly unfurled: () => readonly ParsedAttachment[];
  readonly files: ParsedFiles;
}

/** The content that stands for a message whose text and files cannot be shown. */
function lastResort(message: SlackMessage, { blocks, shown, unfurled, files }: Parsed): Content {
  const rests = [blocks, ...shown].map(({ rest }) => rest);
  const icons = rests.flatMap((rest) => rest.icons).slice(0, MAX_ATTACHMENTS);
  const labels = rests.flatMap((rest) => rest.labels).join('\n');
  if (labels !== '' || icons.length > 0) return { text: labels, spans: [], attachments: icons };
  const previews = unfurled();
  const preview = joined(previews);
  const pictures = previews.flatMap((one) => one.pictures).slice(0, MAX_ATTACHMENTS);
  if (preview.text !== '' || pictures.length > 0) return { ...preview, attachments: pictures };
  const { attachments = [], text = '' } = message;
  const something = message.blocks.length + attachments.length > 0 || text !== '';
  return { text: files.missing ?? (something ? UNREADABLE : ''), spans: [], attachments: [] };
}

const UNREADABLE = '[message without text]';

export const isEmpty = ({ text, attachments }: Content): boolean => text === '' && attachments.length === 0;

/** The content of a message from which everything was removed. */
export const emptied: Content = { text: UNREADABLE, spans: [], attachments: [] };
