import type { Capabilities, Content, ContentAttachment, Persona } from '../../../contract/index.js';
import { plainContent } from '../../../contract/index.js';
import { contentFromMarkdown } from '../../formatting/markdown.js';
import type { AttachmentRecord } from '../../media/attachment.js';
import { fileName } from '../../media/file-type.js';
import type { PlannedTask } from '../task.js';

/** Maximum length of a persona's name on all platforms. */
const MAX_PERSONA_LENGTH = 80;

/** The content of a message for the platform, prefixed with the sender's name if the link requires it. */
export function taskContent(
  task: PlannedTask,
  capabilities: Capabilities,
): { content: Content; persona?: Persona } {
  const content = { ...messageContent(task), attachments: task.message.attachments.map(toContent) };
  const { sender } = task;
  if (sender === null || task.link.attribution === 'none') return { content };
  const displayName = singleLine(sender.display_name);
  if (task.link.attribution === 'persona' && capabilities.ops.persona_override === 'native') {
    const shown = { displayName: [...displayName].slice(0, MAX_PERSONA_LENGTH).join('') };
    const persona = sender.profile_image === null ? shown : { ...shown, avatarUrl: sender.profile_image };
    return { content, persona };
  }
  return { content: prefixed(content, `${displayName}: `) };
}

function messageContent({ message }: PlannedTask): Content {
  if (message.spans !== null) return { text: message.text, spans: message.spans, attachments: [] };
  return message.content_type === 'markdown' ? contentFromMarkdown(message.text) : plainContent(message.text);
}

function prefixed(content: Content, prefix: string): Content {
  const spans = content.spans.map((span) => ({
    ...span,
    start: span.start + prefix.length,
    end: span.end + prefix.length,
  }));
  return { ...content, text: prefix + content.text, spans };
}

/** Replaces line breaks and control characters with spaces, so that a name cannot forge a second sender. */
function singleLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim() || 'Unknown';
}

function toContent(record: AttachmentRecord): ContentAttachment {
  const { url } = record;
  // Platforms refuse line breaks and folders in file names.
  const name = url === null ? record.name : fileName(record.name);
  return {
    type: record.type,
    ...(url === null ? {} : { url, mediaRef: record.id }),
    ...(name === null || name === undefined ? {} : { name }),
    ...(record.mime_type === null ? {} : { mimeType: record.mime_type }),
    ...(record.size === null ? {} : { sizeBytes: record.size }),
    ...(record.alt_text === null ? {} : { altText: record.alt_text }),
    ...(record.latitude === null ? {} : { latitude: record.latitude }),
    ...(record.longitude === null ? {} : { longitude: record.longitude }),
    metadata: record.metadata,
  };
}
