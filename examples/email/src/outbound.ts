import {
  type Capabilities,
  type Content,
  type ContentAttachment,
  type FileAttachment,
  type Operation,
  type Plan,
  sortAttachments,
} from 'trunkline';
import { z } from 'zod';
import { MAX_FILES, MAX_FILES_BYTES } from './definition.js';
import { refused } from './errors.js';

/** The payload of a step of `plan`. */
export const mailPayload = z.object({
  text: z.string(),
  files: z.array(z.object({ ref: z.string(), mimeType: z.string() })),
  replyTo: z.string().optional(),
  automatic: z.boolean(),
});

/** Each operation becomes one mail with its text and its files. */
export function plan(operation: Operation, table: Capabilities): Plan {
  if (operation.type === 'typing') return { steps: [], degradations: ['typing'] };
  if (operation.type !== 'send') throw refused('unsupported', `This adapter has no ${operation.type}.`);
  const { content, replyToId, to, automatic = false } = operation;
  const sorted = sortAttachments(content.attachments, table, MAX_FILES);
  const files = fitting(sorted.files);
  const described = content.attachments.filter(
    ({ mediaRef }) => mediaRef === undefined || !files.some(({ ref }) => ref === mediaRef),
  );
  const text = writtenOut(content, described);
  if (text === '' && files.length === 0) return { steps: [], degradations: [] };
  const lost = content.spans.filter(({ mark }) => table.text.formats[mark] === 'dropped');
  return {
    steps: [
      {
        action: 'create',
        index: 0,
        kind: text === '' ? 'media' : 'text',
        payload: {
          text,
          files: files.map(({ ref, mimeType }) => ({ ref, mimeType })),
          ...(replyToId === undefined ? {} : { replyTo: replyToId }),
          automatic,
        },
      },
    ],
    degradations: [
      ...new Set([
        ...lost.map(({ mark }) => `format.${mark}` as const),
        ...described.filter(({ type }) => isFile(type, table)).map(({ type }) => `media.${type}` as const),
        ...(to.threadId === undefined ? [] : (['thread'] as const)),
      ]),
    ],
  };
}

/** Whether a mail can contain an attachment of this type. If so, replacing it by a link is a degradation. */
function isFile(type: ContentAttachment['type'], { media }: Capabilities): boolean {
  return Object.values(media[type]?.mime ?? {}).includes('native');
}

/** The files that fit into one mail together. The others become links. */
function fitting(files: readonly FileAttachment[]): readonly FileAttachment[] {
  let bytes = 0;
  return files.filter(({ sizeBytes }) => {
    if (bytes + sizeBytes > MAX_FILES_BYTES) return false;
    bytes += sizeBytes;
    return true;
  });
}

/** The text with the URL after each link, and a line for each attachment that is not a file of the mail. */
function writtenOut({ text, spans }: Content, described: readonly ContentAttachment[]): string {
  let result = text;
  for (const { mark, start, end, value } of [...spans].sort((a, b) => b.end - a.end)) {
    if (mark !== 'link' || value === undefined || text.slice(start, end) === value) continue;
    result = `${result.slice(0, end)} (${value})${result.slice(end)}`;
  }
  return [result, ...described.map(attachmentLine)]
    .filter((each) => each !== '')
    .join('\n')
    .toWellFormed();
}

function attachmentLine({ type, name, altText, url, latitude, longitude }: ContentAttachment): string {
  const label = altText || name || type;
  if (latitude !== undefined && longitude !== undefined) return `${label}: ${latitude}, ${longitude}`;
  return url === undefined ? label : `${label}: ${url}`;
}
