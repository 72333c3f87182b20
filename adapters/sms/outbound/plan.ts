import {
  type Capabilities,
  type Content,
  type ContentAttachment,
  cardOf,
  type Degradation,
  type FileAttachment,
  MAX_PARTS,
  type Operation,
  type Plan,
  PlatformError,
  placeOf,
  type SendOperation,
  type Span,
  sortAttachments,
  splitContent,
} from '../../../src/contract/index.js';
import { segmentation } from '../segments.js';

/**
 * Plans one operation for SMS. A send becomes one message per part. Operations that a sent text message cannot undergo
 * need no write and are named in the degradations.
 */
export function planSms(operation: Operation, capabilities: Capabilities): Plan {
  if (operation.type !== 'send') return { steps: [], degradations: [operation.type] };
  const { max, unit } = capabilities.text;
  const { addresses, described } = arrange(operation.content.attachments, capabilities);
  const written = splitContent(asPlainText({ ...operation.content, attachments: described }), max, unit);
  const texts = written.map(({ text }) => text).filter((text) => text !== '');
  if (texts.length > MAX_PARTS) throw tooLong();
  const bodies = texts.length === 0 && addresses.length > 0 ? [''] : texts;
  return {
    steps: bodies.map((body, index) => ({
      action: 'create',
      index,
      kind: body === '' ? 'media' : 'text',
      payload: {
        body,
        ...segmentation(body),
        ...(index === 0 && addresses.length > 0 ? { mediaUrl: addresses } : {}),
      },
    })),
    degradations: degradationsOf(operation, described, capabilities),
  };
}

function tooLong(): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason: 'too_long' },
    { dispatched: 'no', message: `The text needs more than ${MAX_PARTS} text messages.` },
  );
}

/** Twilio fetches files itself, so it receives files that have an address it can reach. */
function arrange(attachments: readonly ContentAttachment[], capabilities: Capabilities) {
  const reachable = attachments.filter(({ url }) => url?.startsWith('https://') === true);
  const refs = new Set(together(sortAttachments(reachable, capabilities, MAX_FILES).files));
  const isSent = ({ mediaRef }: ContentAttachment) => mediaRef !== undefined && refs.has(mediaRef);
  return {
    addresses: reachable.filter(isSent).flatMap(({ url }) => url ?? []),
    described: attachments.filter((attachment) => !isSent(attachment)),
  };
}

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
const MAX_FILES = 10;
const MAX_BYTES = 5 * 1024 * 1024;

/** The references of the files that fit into one message. */
function together(files: readonly FileAttachment[]): string[] {
  let total = 0;
  return files.flatMap(({ ref, sizeBytes }) => {
    if (total + sizeBytes > MAX_BYTES) return [];
    total += sizeBytes;
    return [ref];
  });
}

function degradationsOf(
  { content, replyToId, to }: SendOperation,
  described: readonly ContentAttachment[],
  { text: { formats } }: Capabilities,
): readonly Degradation[] {
  return [
    ...new Set([
      ...content.spans
        .filter(({ mark }) => formats[mark] === 'dropped')
        .map(({ mark }) => `format.${mark}` as const),
      ...described.map(({ type }) => `media.${type}` as const),
      ...(replyToId === undefined ? [] : (['reply'] as const)),
      ...(to.threadId === undefined ? [] : (['thread'] as const)),
    ]),
  ];
}

/**
 * Writes out what plain text cannot express: `label (address)` for links and one line per attachment. This happens
 * before the split, because it makes the text longer. A link span on the new text keeps addresses whole.
 */
function asPlainText({ text, spans, attachments }: Content): Content {
  let plain = '';
  let copied = 0;
  const links: Span[] = [];
  const append = (written: string) => {
    links.push({ mark: 'link', start: plain.length, end: plain.length + written.length });
    plain += written;
  };
  for (const { start, end, value } of linksInOrder(spans)) {
    plain += text.slice(copied, start);
    const label = text.slice(start, end);
    append(value === undefined || value === '' || value === label ? label : `${label} (${value})`);
    copied = end;
  }
  plain += text.slice(copied);
  for (const line of attachments.map(attachmentLine)) {
    if (plain !== '') plain += '\n';
    append(line);
  }
  return { text: plain, spans: links, attachments: [] };
}

/** Link spans from left to right, without nested ones. */
function linksInOrder(spans: readonly Span[]): readonly Span[] {
  let reached = 0;
  return spans
    .filter(({ mark }) => mark === 'link')
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}

/** The line of an attachment: a location as a map link, a contact as name and number, a missing file by its name. */
function attachmentLine(attachment: ContentAttachment): string {
  const { url, name, altText } = attachment;
  if (url !== undefined) return url;
  const place = placeOf(attachment);
  if (place !== undefined)
    return [name, `https://maps.google.com/?q=${place.latitude},${place.longitude}`]
      .filter(Boolean)
      .join(' ');
  const card = cardOf(attachment);
  if (card === undefined) return name ?? altText ?? `[${attachment.type}]`;
  return card.phone === undefined || card.phone === card.name ? card.name : `${card.name} ${card.phone}`;
}
