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

/** Each line of the text becomes a message, because IRC has no line breaks. */
export function plan(operation: Operation, { text: { max, unit, formats } }: Capabilities): Plan {
  if (operation.type === 'typing') return { steps: [], degradations: ['typing'] };
  if (operation.type !== 'send') throw refused('unsupported', `IRC has no ${operation.type}.`);
  const lines = writtenOut(operation.content)
    .split('\n')
    .flatMap((line) => splitContent(plainContent(line), max, unit))
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '');
  if (lines.length > MAX_PARTS) throw refused('too_long', `The text takes more than ${MAX_PARTS} lines.`);
  const marks = operation.content.spans.filter(({ mark }) => formats[mark] === 'dropped');
  return {
    steps: lines.map((text, index) => ({ action: 'create', index, kind: 'text', payload: { text } })),
    degradations: [
      ...new Set([
        ...marks.map(({ mark }) => `format.${mark}` as const),
        ...(operation.replyToId === undefined ? [] : (['reply'] as const)),
        ...(operation.to.threadId === undefined ? [] : (['thread'] as const)),
      ]),
    ],
  };
}

/** The text with the URL after each link and a line for each attachment, without control characters. */
function writtenOut({ text, spans, attachments }: Content): string {
  let result = text;
  for (const { mark, start, end, value } of [...spans].sort((a, b) => b.end - a.end)) {
    if (mark !== 'link' || value === undefined || text.slice(start, end) === value) continue;
    result = `${result.slice(0, end)} (${value})${result.slice(end)}`;
  }
  const lines = [result, ...attachments.map(attachmentLine)].filter((line) => line !== '').join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character could end the line or start a command.
  return lines.replace(/\r\n?/g, '\n').replace(/[\x00-\x09\x0b-\x1f\x7f]/g, ' ');
}

function attachmentLine({ type, name, altText, url, latitude, longitude }: ContentAttachment): string {
  const label = altText || name || type;
  if (latitude !== undefined && longitude !== undefined) return `${label}: ${latitude}, ${longitude}`;
  return url === undefined ? label : `${label}: ${url}`;
}

function refused(reason: RejectionReason, message: string): PlatformError {
  return new PlatformError({ kind: 'rejected', reason }, { dispatched: 'no', message });
}
