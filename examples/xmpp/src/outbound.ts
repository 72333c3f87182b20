import {
  type Capabilities,
  type Content,
  type ContentAttachment,
  MAX_PARTS,
  type Operation,
  type Plan,
  PlatformError,
  plainContent,
  type RejectionReason,
  splitContent,
} from 'trunkline';

export function plan(operation: Operation, { text: { max, unit, formats } }: Capabilities): Plan {
  if (operation.type === 'typing') return { steps: [], degradations: ['typing'] };
  if (operation.type !== 'send') throw refused('unsupported', `This adapter has no ${operation.type}.`);
  const { content, replyToId, to } = operation;
  const parts = splitContent(plainContent(writtenOut(content)), max, unit).filter(({ text }) => text !== '');
  if (parts.length > MAX_PARTS) throw refused('too_long', `The text takes more than ${MAX_PARTS} messages.`);
  const lost = content.spans.filter(({ mark }) => formats[mark] === 'dropped');
  return {
    steps: parts.map(({ text }, index) => ({
      action: 'create',
      index,
      kind: 'text',
      payload: { text, ...(index === 0 && replyToId !== undefined ? { replyTo: replyToId } : {}) },
    })),
    degradations: [
      ...new Set([
        ...lost.map(({ mark }) => `format.${mark}` as const),
        ...(to.threadId === undefined ? [] : (['thread'] as const)),
      ]),
    ],
  };
}

/** The text with the URL after each link and a line for each attachment, without characters that XML forbids. */
function writtenOut({ text, spans, attachments }: Content): string {
  let result = text;
  for (const { mark, start, end, value } of [...spans].sort((a, b) => b.end - a.end)) {
    if (mark !== 'link' || value === undefined || text.slice(start, end) === value) continue;
    result = `${result.slice(0, end)} (${value})${result.slice(end)}`;
  }
  const lines = [result, ...attachments.map(attachmentLine)].filter((line) => line !== '').join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them.
  return lines.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ' ');
}

function attachmentLine({ type, name, altText, url, latitude, longitude }: ContentAttachment): string {
  const label = altText || name || type;
  if (latitude !== undefined && longitude !== undefined) return `${label}: ${latitude}, ${longitude}`;
  return url === undefined ? label : `${label}: ${url}`;
}

export function refused(reason: RejectionReason, message: string, code?: string): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason },
    { dispatched: 'no', message, ...(code === undefined ? {} : { code }) },
  );
}
