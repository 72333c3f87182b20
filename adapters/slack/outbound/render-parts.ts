import {
  type Capabilities,
  type Content,
  type ContentAttachment,
  cardOf,
  type Degradation,
  type FileAttachment,
  type JsonObject,
  MAX_PARTS,
  placeOf,
  type Span,
  sortAttachments,
  splitContent,
} from '../../../src/contract/index.js';
import { renderBlocks } from './to-blocks.js';
import { renderMrkdwn } from './to-mrkdwn.js';

/** The text of one message: blocks, and the same as mrkdwn for notifications and as a fallback. */
export interface TextPart extends JsonObject {
  readonly text: string;
  readonly blocks: readonly JsonObject[];
}

export interface RenderedParts {
  readonly texts: readonly TextPart[];
  readonly files: readonly FileAttachment[];
  readonly degradations: readonly Degradation[];
}

/** Undefined if the text needs more messages than allowed. */
export function renderParts(content: Content, capabilities: Capabilities): RenderedParts | undefined {
  const { files, described, parts } = arrange(content, capabilities);
  if (parts.length > MAX_PARTS) return undefined;
  const lost = new Set<Degradation>(described.map(({ type }) => `media.${type}` as const));
  const texts = parts.map((part) => {
    const { blocks, lost: marks } = renderBlocks({ ...part, spans: withLinks(part) });
    for (const mark of marks) lost.add(`format.${mark}` as const);
    return { text: renderMrkdwn(part).text, blocks };
  });
  return { texts, files, degradations: [...lost].sort() };
}

/** The files use one part of the limit. If the text leaves none, the files become lines of the text. */
function arrange(content: Content, capabilities: Capabilities) {
  const { max, unit } = capabilities.text;
  if (content.attachments.length === 0) {
    return { files: [], described: [], parts: content.text === '' ? [] : splitContent(content, max, unit) };
  }
  const sorted = sortAttachments(content.attachments.map(withoutEmpty), capabilities, MAX_FILES);
  const partsWith = (attachments: readonly ContentAttachment[]) => {
    const body = withAttachmentLines({ ...content, attachments });
    return body.text === '' ? [] : splitContent(body, max, unit);
  };
  const parts = partsWith(sorted.described);
  if (sorted.files.length === 0 || parts.length < MAX_PARTS) return { ...sorted, parts };
  return { files: [], described: content.attachments, parts: partsWith(content.attachments) };
}

/** The limit of the capability table for one message. */
const MAX_FILES = 10;

/** Slack refuses empty files, so only their link is sent. */
function withoutEmpty(attachment: ContentAttachment): ContentAttachment {
  if (attachment.sizeBytes !== 0) return attachment;
  const { mediaRef: _, ...rest } = attachment;
  return rest;
}

/** Attachments become lines below the text. */
function withAttachmentLines({ text, spans, attachments }: Content): Content {
  const lines = attachments.map(attachmentLine);
  return { text: [text, ...lines].filter((line) => line !== '').join('\n'), spans, attachments: [] };
}

/** A file that could not be fetched is named in the text, so that the reader knows about it. */
function attachmentLine(attachment: ContentAttachment): string {
  const { type, url, name, altText } = attachment;
  if (url !== undefined) return url;
  const place = placeOf(attachment);
  if (place !== undefined) {
    const map = `https://www.openstreetmap.org/?mlat=${place.latitude}&mlon=${place.longitude}`;
    return [name, map].filter(Boolean).join(' ');
  }
  const card = cardOf(attachment);
  if (card === undefined) return name ?? altText ?? `[${type}]`;
  return card.phone === undefined || card.phone === card.name ? card.name : `${card.name} ${card.phone}`;
}

/** Turns addresses in the text into links, as for a typed message. Blocks do not detect them. */
function withLinks({ text, spans }: Content): readonly Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>|]*[^\s<>|.,;:!?'")\]}]/gi)) {
    const span = {
      mark: 'link',
      start: match.index,
      end: match.index + match[0].length,
      value: match[0],
    } as const;
    const taken = spans.some(
      (other) => OWN_WAY.has(other.mark) && other.start < span.end && other.end > span.start,
    );
    if (!taken && URL.canParse(match[0])) found.push(span);
  }
  return found.length === 0 ? spans : [...spans, ...found];
}

/** Marks in which an address already has another meaning. */
const OWN_WAY = new Set<string>(['link', 'mention', 'code', 'code_block']);
