import {
  type Capabilities,
  type Content,
  type ContentAttachment,
  cardOf,
  type Degradation,
  type DeleteOperation,
  type EditOperation,
  type FileAttachment,
  type JsonObject,
  MAX_PARTS,
  type Operation,
  type PartStep,
  type Persona,
  type Plan,
  PlatformError,
  placeOf,
  type ReactOperation,
  type SendOperation,
  sortAttachments,
  splitContent,
} from '../../../src/contract/index.js';
import { losesLink, renderMarkdown } from './markdown-renderer.js';
import { attributed, attributionOf, webhookPersona } from './persona.js';

/** Total size of the files in one request. It is below 25 MiB, because the rest of the request counts too. */
const REQUEST_BYTES = 24 * 1024 * 1024;

/** Disables all mentions. By default a bot's message pings everyone it names. */
const noPings = { parse: [], replied_user: false };

/** Plans the Discord writes of one neutral operation. */
export function plan(operation: Operation, capabilities: Capabilities): Plan {
  switch (operation.type) {
    case 'send':
      return planSend(operation, capabilities);
    case 'edit':
      return planEdit(operation, capabilities);
    case 'delete':
      return { steps: operation.parts.map(removal), degradations: [] };
    case 'react':
      return { steps: [reaction(operation)], degradations: [] };
    case 'typing':
      return { steps: operation.state === 'started' ? [typing] : [], degradations: [] };
  }
}

const typing: PartStep = { action: 'signal', index: 0, kind: 'text', payload: {} };

function reaction({ messageId, emoji, change }: ReactOperation): PartStep {
  return { action: 'signal', index: 0, kind: 'text', targetId: messageId, payload: { emoji, change } };
}

function planSend(operation: SendOperation, capabilities: Capabilities): Plan {
  const { to, content, persona, threadRootId } = operation;
  // If the root message has no thread, a reply to it replaces one.
  const replyToId = operation.replyToId ?? threadRootId;
  const threadOf = to.threadId === undefined ? threadRootId : undefined;
  const { texts, groups, described } = arrange(content, capabilities, persona);
  const [first = [], ...others] = groups;
  const opening = texts.length === 0 && groups.length === 0 ? [] : [texts[0] ?? ''];
  const steps = [...opening, ...texts.slice(1)].map((text, index) =>
    index === 0
      ? creation(text, 0, { replyToId, threadOf, files: first, persona })
      : creation(text, index, { threadOf, persona }),
  );
  const media = others.map((files, place) =>
    creation('', steps.length + place, { threadOf, files, persona }),
  );
  return { steps: [...steps, ...media], degradations: degradations(content, described) };
}

/** Updates existing parts in place, adds missing parts and removes surplus ones. Files stay with their part. */
function planEdit(operation: EditOperation, capabilities: Capabilities): Plan {
  const { persona } = operation;
  const { texts, groups, described } = arrange(operation.content, capabilities, persona);
  const wanted = texts.length === 0 && groups.length > 0 ? [''] : texts;
  const all = [...operation.parts].sort((a, b) => a.index - b.index);
  const parts = all.filter(({ kind }, place) => kind === 'text' || place === 0);
  const written = wanted.map((text, place): PartStep => {
    const part = parts[place];
    if (part === undefined) return creation(text, nextIndex(all) + place - parts.length, { persona });
    const payload = { content: text, allowed_mentions: noPings, ...named(text, place, persona) };
    return { action: 'update', index: part.index, kind: part.kind, targetId: part.id, payload };
  });
  const removed = parts.slice(wanted.length).map(removal);
  return { steps: [...written, ...removed], degradations: degradations(operation.content, described) };
}

const nextIndex = (parts: EditOperation['parts']): number => (parts.at(-1)?.index ?? -1) + 1;

interface Extras {
  readonly replyToId?: string | undefined;
  /** The root message of the thread, if the message belongs to one. */
  readonly threadOf?: string | undefined;
  readonly files?: readonly FileAttachment[];
  readonly persona?: Persona | undefined;
}

function creation(
  text: string,
  index: number,
  { replyToId, threadOf, files = [], persona }: Extras,
): PartStep {
  const payload: JsonObject = {
    content: text,
    allowed_mentions: noPings,
    ...(replyToId === undefined
      ? {}
      : { message_reference: { message_id: replyToId, fail_if_not_exists: false } }),
    ...(threadOf === undefined ? {} : { thread_of: threadOf }),
    ...(files.length === 0 ? {} : { files: files.map((file) => ({ ...file })) }),
    ...(persona === undefined ? {} : { persona: webhookPersona(persona), ...named(text, index, persona) }),
  };
  return { action: 'create', index, kind: text === '' ? 'media' : 'text', payload };
}

/** The text of the first part for the case that the bot itself writes it, because no webhook is available. */
function named(text: string, place: number, persona: Persona | undefined): JsonObject {
  return persona === undefined || place > 0 ? {} : { attributed: attributed(attributionOf(persona), text) };
}

/** Splits a message into texts and into groups of files that fit one request each. */
function arrange(content: Content, capabilities: Capabilities, persona: Persona | undefined) {
  const reserved = persona === undefined ? 0 : attributionOf(persona).length;
  for (let maxFiles = MAX_PARTS; ; maxFiles -= 1) {
    const { files, described } = sortAttachments(content.attachments, capabilities, maxFiles);
    const texts = textsOf(withLines(content, described), capabilities, reserved);
    const groups = grouped(files);
    if (Math.max(texts.length, 1) + groups.length - 1 <= MAX_PARTS || files.length === 0) {
      return { texts, groups, described };
    }
    maxFiles = Math.min(maxFiles, files.length);
  }
}

function grouped(files: readonly FileAttachment[]): FileAttachment[][] {
  const groups: FileAttachment[][] = [];
  let room = 0;
  for (const file of files) {
    if (file.sizeBytes > room) {
      groups.push([]);
      room = REQUEST_BYTES;
    }
    groups.at(-1)?.push(file);
    room -= file.sizeBytes;
  }
  return groups;
}

function removal(part: DeleteOperation['parts'][number]): PartStep {
  return { action: 'remove', index: part.index, kind: part.kind, targetId: part.id, payload: {} };
}

/** Renders the parts of a message, each within Discord's limit. */
function textsOf(whole: Content, { text: { max, unit } }: Capabilities, reserved: number): readonly string[] {
  if (whole.text === '') return [];
  const limit = (max ?? Number.POSITIVE_INFINITY) - reserved;
  const parts = splitContent(whole, max === null ? null : limit, unit).flatMap((part) =>
    fitting(part, limit),
  );
  if (parts.length > MAX_PARTS) {
    throw new PlatformError(
      { kind: 'rejected', reason: 'too_long' },
      { dispatched: 'no', message: `The message needs more than ${MAX_PARTS} Discord messages.` },
    );
  }
  return parts;
}

/** Marks and escapes make a text longer, so a split part may have to be split again after rendering. */
function fitting(part: Content, limit: number): readonly string[] {
  const rendered = visible(part);
  if (rendered.length <= limit) return [rendered];
  const budget = Math.max(1, Math.floor((part.text.length * limit * 0.95) / rendered.length));
  const smaller = splitContent(part, budget, 'utf16');
  return (smaller.length > 1 ? smaller : halves(part)).flatMap((piece) => fitting(piece, limit));
}

/** Cuts inside a grapheme that is longer than a message. */
function halves({ text }: Content): readonly Content[] {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle), points.slice(middle)]
    .filter((half) => half.length > 0)
    .map((half) => ({ text: half.join(''), spans: [], attachments: [] }));
}

/** Discord refuses blank messages. A zero-width space makes a blank part of a longer text pass. */
function visible(part: Content): string {
  const rendered = renderMarkdown(part);
  return part.text.trim() === '' ? `${rendered}\u200b` : rendered;
}

/** Files and locations that cannot be sent become lines of the text. */
function withLines(content: Content, attachments: readonly ContentAttachment[]): Content {
  const lines = attachments.map(lineOf);
  const text = [content.text, ...lines].filter((part) => part !== '').join('\n');
  return { text, spans: content.spans, attachments: [] };
}

/** A file that could not be fetched is named in the text, so that the reader knows about it. */
function lineOf(attachment: ContentAttachment): string {
  const { type, url, name, altText } = attachment;
  const place = placeOf(attachment);
  if (place !== undefined) {
    const map = `https://www.openstreetmap.org/?mlat=${place.latitude}&mlon=${place.longitude}`;
    return [name, map].filter(Boolean).join(' ');
  }
  if (url !== undefined) return url;
  const card = cardOf(attachment);
  if (card === undefined) return name ?? altText ?? `[${type}]`;
  return card.phone === undefined || card.phone === card.name ? card.name : `${card.name} ${card.phone}`;
}

function degradations(
  { text, spans }: Content,
  described: readonly ContentAttachment[],
): readonly Degradation[] {
  const lost = spans.some((span) => losesLink(text, span)) ? (['format.link'] as const) : [];
  return [...lost, ...new Set(described.map((attachment) => `media.${attachment.type}` as const))];
}
