import type { ContentAttachment } from '../../../src/contract/index.js';
import { type Blocks, blocksSchema, type ParsedBlocks, parseBlocks } from './from-blocks.js';
import { parsePlain, readMrkdwn, withEmoji } from './from-mrkdwn.js';
import { imageOf } from './images.js';
import { type Names, nameIn } from './names.js';
import { filesSchema, type SlackAttachment, type SlackFile } from './payloads.js';
import { newLine } from './rich-text.js';
import { type ParsedText, Writer } from './text-writer.js';
import { addressOf, type Fields, fieldsOf, listOf, wordsOf } from './values.js';

/**
 * The kind of an attachment: `share` is a shared message; `card` is content of the program that wrote the message, or a
 * pasted table; `unfurl` is a link preview.
 */
export type AttachmentKind = 'share' | 'card' | 'unfurl';

const UNFURLED = ['from_url', 'original_url', 'app_unfurl_url', 'service_name', 'service_url'] as const;
const UNFURLING = ['is_msg_unfurl', 'is_app_unfurl', 'is_thread_root_unfurl', 'is_reply_unfurl'] as const;

/** A person's message contains no cards, so all its attachments except a pasted table are link previews. */
export function kindOf(attachment: SlackAttachment, byProgram: boolean): AttachmentKind {
  if (attachment.is_share === true) return 'share';
  const isUnfurl =
    UNFURLED.some((field) => wordsOf(attachment[field]) !== undefined) ||
    UNFURLING.some((field) => attachment[field] === true);
  if (isUnfurl) return 'unfurl';
  return byProgram || listOf(attachment.blocks, 1).length > 0 ? 'card' : 'unfurl';
}

export interface ParsedAttachment extends ParsedText {
  readonly pictures: readonly ContentAttachment[];
  readonly files: readonly (SlackFile | null)[];
  readonly rest: ParsedBlocks['rest'];
}

const MAX_NAME_LENGTH = 256;
const MAX_FIELDS = 100;

/** The text that Slack sends in place of content that it cannot show. */
const PLACEHOLDER =
  /^\W*(?:no preview available|this (?:content|message) can[’']t be displayed|this message contains interactive elements)\W*$/i;

export const isPlaceholder = (words: string): boolean => words.length < 200 && PLACEHOLDER.test(words);

/** A shared message may itself contain cards, tables and shared messages. */
const MAX_SHARE_DEPTH = 3;

/** Parses the text, pictures and files of an attachment. */
export function parseAttachment(attachment: SlackAttachment, names: Names, depth = 0): ParsedAttachment {
  const blocks = parseBlocks(blocksIn(attachment), names);
  const isShare = attachment.is_share === true;
  const inner = isShare && depth < MAX_SHARE_DEPTH ? attachmentsIn(attachment) : [];
  const cards = inner.map((one) => parseAttachment(one, names, depth + 1));
  const files = [attachment.files, [...blocks.files], filesInMessages(attachment)].flatMap(
    (some) => filesSchema.parse(some) ?? [],
  );
  files.push(...cards.flatMap((card) => card.files));
  const body = isShare
    ? sharedText(attachment, [blocks, ...cards], names)
    : cardText(attachment, blocks, names);
  const pictures = [
    ...blocks.attachments,
    ...picturesOf(attachment),
    ...cards.flatMap((card) => card.pictures),
  ];
  if (body.text !== '' || pictures.length + files.length > 0)
    return { ...body, pictures, files, rest: blocks.rest };
  return { ...fallbackOf(attachment, names), pictures, files, rest: blocks.rest };
}

/** `message_blocks` contains either the shared messages or their blocks. */
function blocksIn({ blocks, message_blocks }: SlackAttachment): Blocks {
  const own = blocksSchema.parse(blocks);
  const wrapped = listOf(message_blocks, 100).flatMap((each) => {
    const message = fieldsOf(fieldsOf(each)?.message);
    return message === undefined ? [each] : listOf(message.blocks, 100);
  });
  // Slack sends both for one message.
  return own.length > 0 ? own : blocksSchema.parse(wrapped);
}

/** The shared messages, which contain a bot's cards and a person's tables as attachments of their own. */
const messagesIn = ({ message_blocks }: SlackAttachment): Fields[] =>
  listOf(message_blocks, 100).map((each) => fieldsOf(fieldsOf(each)?.message) ?? {});

const filesInMessages = (attachment: SlackAttachment): unknown[] =>
  messagesIn(attachment).flatMap(({ files }) => listOf(files, 100));

const attachmentsIn = (attachment: SlackAttachment): SlackAttachment[] =>
  [attachment, ...messagesIn(attachment)]
    .flatMap(({ attachments }) => listOf(attachments, 100))
    .map((each): SlackAttachment => ({ ...fieldsOf(each) }))
    .filter((each) => kindOf(each, true) !== 'unfurl');

/** The source text of a shared message. Slack repeats it next to the messages, or writes it only there. */
function sharedSource(attachment: SlackAttachment): string {
  const all = [
    attachment.text,
    messagesIn(attachment)
      .map(({ text }) => wordsOf(text) ?? '')
      .join('\n'),
  ];
  return all.map(wordsOf).find((text) => text !== undefined && !isPlaceholder(text)) ?? '';
}

/** Quotes another person's text, with the name of that person in the first line. */
function sharedText(
  attachment: SlackAttachment,
  [blocks, ...cards]: readonly [ParsedText, ...ParsedText[]],
  names: Names,
): ParsedText {
  const said = blocks.text !== '' ? blocks : readMrkdwn(sharedSource(attachment), names);
  const card = cardText(
    { ...attachment, text: undefined, author_name: undefined, footer: undefined },
    noText,
    names,
  );
  const known = [said, card, ...cards];
  const fallback = known.every(({ text }) => text === '') ? fallbackOf(attachment, names) : noText;
  const writer = new Writer();
  const author = authorOf(attachment, names);
  for (const each of [...known, fallback]) {
    if (each.text === '') continue;
    if (writer.text === '' && author !== undefined) writer.write(`${author}: `);
    else newLine(writer);
    writer.append({ text: each.text, spans: each.spans.filter(({ mark }) => mark !== 'quote') });
  }
  const quote = new Writer();
  quote.span('quote', () => quote.append({ text: writer.text, spans: writer.sortedSpans() }));
  return { text: quote.text, spans: quote.sortedSpans() };
}

const noText: ParsedText = { text: '', spans: [] };

function authorOf(
  { author_name, author_subname, author_id }: SlackAttachment,
  names: Names,
): string | undefined {
  const id = wordsOf(author_id);
  const name =
    wordsOf(author_name) ?? wordsOf(author_subname) ?? (id === undefined ? undefined : names.user(id));
  return name?.replace(/\s+/g, ' ').slice(0, MAX_NAME_LENGTH);
}

/**
 * Parses a program's card from top to bottom
 * (docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments).
 */
function cardText(attachment: SlackAttachment, blocks: ParsedText, names: Names): ParsedText {
  const writer = new Writer();
  const line = (parsed: ParsedText) => {
    if (parsed.text === '' || isPlaceholder(parsed.text)) return;
    newLine(writer);
    writer.append(parsed);
  };
  const { pretext, author_name, author_link, title, title_link, text, fields, footer } = attachment;
  line(markedUp(attachment, 'pretext', pretext, names));
  line(named(author_name, author_link, false));
  line(named(title, title_link, true));
  line(markedUp(attachment, 'text', text, names));
  for (const field of listOf(fields, MAX_FIELDS)) line(fieldText(attachment, field, names));
  line(blocks);
  for (const action of listOf(attachment.actions, MAX_FIELDS)) {
    const { text: label, url } = fieldsOf(action) ?? {};
    if (addressOf(url) !== undefined) line(named(label, url, false));
  }
  line(named(footer, undefined, false));
  return { text: writer.text, spans: writer.sortedSpans() };
}

/** If `mrkdwn_in` is present, it lists the fields with markup. */
function markedUp(attachment: SlackAttachment, field: string, value: unknown, names: Names): ParsedText {
  const source = wordsOf(value) ?? '';
  const { mrkdwn_in } = attachment;
  const styled = !Array.isArray(mrkdwn_in) || mrkdwn_in.includes(field);
  return styled ? readMrkdwn(source, names) : parsePlain(source, nameIn(names));
}

function named(value: unknown, link: unknown, bold: boolean): ParsedText {
  const writer = new Writer();
  const words = wordsOf(value);
  if (words === undefined) return noText;
  const address = addressOf(link);
  const start = writer.text.length;
  writer.append(parsePlain(words, () => undefined));
  if (bold) writer.add('bold', start);
  if (address !== undefined) writer.add('link', start, address);
  return { text: writer.text, spans: writer.sortedSpans() };
}

function fieldText(attachment: SlackAttachment, field: unknown, names: Names): ParsedText {
  const { title, value } = fieldsOf(field) ?? {};
  const writer = new Writer();
  const head = named(title, undefined, true);
  const body = markedUp(attachment, 'fields', typeof value === 'number' ? String(value) : value, names);
  writer.append(head);
  if (head.text !== '' && body.text !== '') writer.write(body.text.includes('\n') ? ':\n' : ': ');
  writer.append(body);
  return { text: writer.text, spans: writer.sortedSpans() };
}

/** A card has a large picture or a small one. */
function picturesOf({ image_url, thumb_url, title }: SlackAttachment): ContentAttachment[] {
  return imageOf({ image_url: addressOf(image_url) ?? thumb_url, title });
}

/** The plain text fallback for clients that cannot show cards. */
function fallbackOf({ fallback }: SlackAttachment, names: Names): ParsedText {
  const words = wordsOf(fallback) ?? '';
  return isPlaceholder(words) ? noText : parsePlain(withEmoji(words), nameIn(names));
}
