import {
  type AttachmentType,
  type Button,
  type Capabilities,
  type Content,
  captionFits,
  type Degradation,
  type DeleteOperation,
  type EditOperation,
  type FileAttachment,
  type JsonObject,
  MAX_PARTS,
  type Operation,
  type PartStep,
  type Plan,
  PlatformError,
  type ReactOperation,
  type RejectionReason,
  type RemoteMessageId,
  type RemotePart,
  type SendOperation,
  sliceContent,
  splitContent,
  type TypingOperation,
} from '../../../src/contract/index.js';
import { entitiesOf } from '../formatting.js';
import { omitUndefined } from '../omit-undefined.js';
import {
  attachmentLine,
  groupIntoAlbums,
  layOutMedia,
  type MediaLayout,
  type MediaMessage,
  typesSentAsDocuments,
} from './media-layout.js';
import { reactionOf } from './reactions.js';

/** Plans the writes of one operation, in order. */
export function plan(operation: Operation, capabilities: Capabilities): Plan {
  switch (operation.type) {
    case 'send':
      return planSend(operation, capabilities);
    case 'edit':
      return planEdit(operation, capabilities);
    case 'delete':
      return planDelete(operation);
    case 'typing':
      return planTyping(operation);
    case 'react':
      return planReact(operation);
  }
}

/**
 * The text becomes the caption of the first file if it fits. Otherwise it precedes the files in messages of its own.
 */
function planSend(operation: SendOperation, capabilities: Capabilities): Plan {
  const { content } = operation;
  const { shown, described, texts } = fitted(content, capabilities);
  const { replyToId, threadRootId, buttons } = operation;
  // Telegram has no threads of single messages. A reply to the message or to the root replaces one.
  const answered = replyToId ?? threadRootId;
  const replyTo = answered === undefined ? undefined : messageNumber(answered);
  const text = withLines(content, described);
  const inCaption = text.text.trim() !== '' && takesCaption(shown[0], text.text, capabilities);
  const written = rendered(inCaption ? [text] : texts);
  if (written.payloads.length + shown.length === 0) throw empty();
  const [caption] = inCaption ? written.payloads : [];
  const before = inCaption ? [] : withButtons(written.payloads, buttons);
  const steps = [
    ...before.map((payload, index) => create(index, payload)),
    ...createShown(shown, before.length, caption),
  ];
  const [first, ...others] = steps;
  return {
    steps:
      first === undefined
        ? []
        : [{ ...first, payload: omitUndefined({ ...first.payload, replyTo }) }, ...others],
    degradations: [
      ...degradationsOf(content, described, written, typesSentAsDocuments(shown)),
      ...(replyToId !== undefined && replyTo === undefined ? (['reply'] as const) : []),
      ...(threadRootId === undefined ? [] : (['thread'] as const)),
    ],
  };
}

/**
 * Edits text parts in place, appends missing parts and removes surplus ones. Attachments stay. If the first part is a
 * file, the text begins in its caption.
 */
function planEdit(operation: EditOperation, capabilities: Capabilities): Plan {
  const { content } = operation;
  const parts = [...operation.parts].sort((a, b) => a.index - b.index);
  const mediaParts = parts.filter(({ kind }) => kind !== 'text').length;
  const { shown, described } = layOutMedia(content.attachments, capabilities, mediaParts);
  const text = withLines(content, described);
  const [first] = parts;
  const file = captionable(shown[0], capabilities);
  const carrier = file !== undefined && first?.kind === 'media' ? first : undefined;
  const pieces =
    file === undefined || carrier === undefined
      ? split(text, capabilities)
      : underCaption(text, file, capabilities);
  const [caption = plain, ...rest] = carrier === undefined ? [plain, ...pieces] : pieces;
  const written = rendered(rest);
  if (written.payloads.length + mediaParts === 0) throw empty();
  if (written.payloads.length + mediaParts > MAX_PARTS) throw tooLong();
  const above = rendered([caption], true);
  const present = parts.filter(({ kind }) => kind === 'text');
  const next = (parts.at(-1)?.index ?? -1) + 1;
  const texts = written.payloads.map((payload, position): PartStep => {
    const part = present[position];
    return part === undefined ? create(next + position - present.length, payload) : update(part, payload);
  });
  const captions = carrier === undefined ? [] : above.payloads.map((payload) => update(carrier, payload));
  return {
    steps: [...captions, ...texts, ...present.slice(written.payloads.length).map(remove)],
    degradations: degradationsOf(content, described, {
      lost: [...above.lost, ...written.lost],
      blank: written.blank,
    }),
  };
}

/** One row below the last text (#inlinekeyboardbutton). An edit without them takes them away. */
function withButtons(
  payloads: readonly JsonObject[],
  buttons: readonly Button[] = [],
): readonly JsonObject[] {
  const last = payloads.at(-1);
  if (buttons.length === 0 || last === undefined) return payloads;
  const row = buttons.map(({ label, value }) => ({ text: label, callback_data: value }));
  return [...payloads.slice(0, -1), { ...last, buttons: row }];
}

const plain: Content = { text: '', spans: [], attachments: [] };

const planDelete = (operation: DeleteOperation): Plan => ({
  steps: operation.parts.map(remove),
  degradations: [],
});

/** The typing notice ends after five seconds or with the next message. It cannot be withdrawn. */
function planTyping(operation: TypingOperation): Plan {
  if (operation.state === 'stopped') return { steps: [], degradations: [] };
  const step: PartStep = { action: 'signal', index: 0, kind: 'text', payload: { action: 'typing' } };
  return { steps: [step], degradations: [] };
}

/** A bot has one reaction per message. A new reaction replaces the old one. */
function planReact({ emoji, change, messageId }: ReactOperation): Plan {
  const reaction = reactionOf(emoji);
  if (change === 'added' && reaction === undefined)
    throw refused('unsupported', 'Telegram does not have this reaction.');
  if (messageNumber(messageId) === undefined)
    throw refused('unsupported', 'Telegram cannot show reactions on this message.');
  const payload = { action: 'react', reaction: change === 'added' ? (reaction ?? null) : null };
  return {
    steps: [{ action: 'signal', index: 0, kind: 'text', targetId: messageId, payload }],
    degradations: [],
  };
}

const create = (index: number, payload: JsonObject): PartStep => ({
  action: 'create',
  index,
  kind: 'text',
  payload,
});

/** One write per group of attachments. An album makes one part per file. */
function createShown(
  shown: readonly MediaMessage[],
  from: number,
  caption: JsonObject | undefined,
): PartStep[] {
  let index = from;
  return groupIntoAlbums(shown).map(([first, ...others], place): PartStep => {
    const payload =
      others.length === 0 ? first.payload : { album: [first, ...others].map((one) => one.payload) };
    const step: PartStep = {
      action: 'create',
      index,
      kind: first.kind,
      ...(others.length === 0
        ? {}
        : { others: others.map(({ kind }, after) => ({ index: index + 1 + after, kind })) }),
      payload: place === 0 ? { ...payload, ...caption } : payload,
    };
    index += 1 + others.length;
    return step;
  });
}

const update = ({ index, kind, id }: RemotePart, payload: JsonObject): PartStep => ({
  action: 'update',
  index,
  kind,
  targetId: id,
  payload,
});

const remove = (part: RemotePart): PartStep => ({
  action: 'remove',
  index: part.index,
  kind: part.kind,
  targetId: part.id,
  payload: {},
});

/** Message ids of Telegram are positive integers. */
export function messageNumber(id: RemoteMessageId): number | undefined {
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}

/** Whether the text can be the caption of this file. Stickers have no captions. */
function captionable(shown: MediaMessage | undefined, { media }: Capabilities): FileAttachment | undefined {
  const file = shown?.file;
  return file === undefined || media[file.type]?.caption_max === 0 ? undefined : file;
}

function takesCaption(shown: MediaMessage | undefined, text: string, capabilities: Capabilities): boolean {
  const file = captionable(shown, capabilities);
  return file !== undefined && captionFits(text, file.type, capabilities);
}

/** Splits the text into a caption that fits the first file and messages with the rest. */
function underCaption(text: Content, { type }: FileAttachment, capabilities: Capabilities): Content[] {
  const max = capabilities.media[type]?.caption_max ?? null;
  const [caption = plain] = splitContent(text, max, capabilities.text.unit);
  if (caption.text.length === text.text.length) return [caption];
  return [caption, ...split(sliceContent(text, caption.text.length), capabilities)];
}

const split = (content: Content, { text: { max, unit } }: Capabilities) => splitContent(content, max, unit);

/** Text and attachments share the limit of parts. Attachments above the limit become lines of the text. */
function fitted(content: Content, capabilities: Capabilities): MediaLayout & { readonly texts: Content[] } {
  for (let maxShown = MAX_PARTS; ; maxShown -= 1) {
    const { shown, described } = layOutMedia(content.attachments, capabilities, maxShown);
    const text = withLines(content, described);
    const texts = split(text, capabilities);
    const own = takesCaption(shown[0], text.text, capabilities) ? 0 : visible(texts).length;
    if (own + shown.length <= MAX_PARTS) return { shown, described, texts };
    if (shown.length === 0) throw tooLong();
    maxShown = Math.min(maxShown, shown.length);
  }
}

/** The text with one line per attachment below it. */
function withLines(content: Content, attachments: MediaLayout['described']): Content {
  const lines = attachments.map(attachmentLine);
  const text = [...(content.text === '' ? [] : [content.text]), ...lines].join('\n');
  return { text, spans: content.spans, attachments: [] };
}

/** Telegram trims messages and refuses those that are empty afterwards. */
const visible = (pieces: readonly Content[]) => pieces.filter(({ text }) => text.trim() !== '');

interface Rendered {
  readonly payloads: readonly JsonObject[];
  readonly lost: readonly Degradation[];
  /** Parts that contain only white space were left out. */
  readonly blank: boolean;
}

/** `blanks` keeps parts of white space, for example a caption that is removed. */
function rendered(pieces: readonly Content[], blanks = false): Rendered {
  const kept = blanks ? pieces : visible(pieces);
  const found = kept.map(({ text, spans }) => ({ text, ...entitiesOf(text, spans) }));
  return {
    payloads: found.map(({ text, entities }) => ({ text, entities: entities as unknown as JsonObject[] })),
    lost: found.flatMap(({ lost }) => lost.map((mark) => `format.${mark}` as const)),
    blank: kept.length < pieces.length,
  };
}

function degradationsOf(
  content: Content,
  described: MediaLayout['described'],
  { lost, blank }: Omit<Rendered, 'payloads'>,
  documents: readonly AttachmentType[] = [],
): Degradation[] {
  return [
    ...new Set([
      ...lost,
      ...documents.map((type) => `media.${type}` as const),
      ...described.map(({ type }) => `media.${type}` as const),
      ...(blank && content.text !== '' ? (['text.whitespace'] as const) : []),
    ]),
  ];
}

function refused(reason: RejectionReason, message: string): PlatformError {
  return new PlatformError({ kind: 'rejected', reason }, { dispatched: 'no', message });
}

const empty = () => refused('content_rejected', 'The message has no visible text.');
const tooLong = () => refused('too_long', `The message needs more than ${MAX_PARTS} parts.`);
