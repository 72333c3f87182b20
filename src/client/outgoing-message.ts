import { TrunklineError } from './error.js';
import type { BodyOf } from './operations.js';
import type { Version } from './options.js';

/** A message to send, with version 1.0's field names or the older `content`, `contentType` and `conversationId`. */
export type OutgoingMessage = BodyOf<'1.0', 'post', '/openapi/messages'>;

const OLDER_NAMES = {
  content: 'text',
  contentType: 'content_type',
  conversationId: 'conversation_id',
} as const;

/** Converts field names to the version. Version 1.0 itself accepts the older names and repeats them in its response. */
export function withNamesOf(version: Version, message: OutgoingMessage): Readonly<Record<string, unknown>> {
  if (version === '1.0') return message;
  const { text, content_type: format, attachments, ...rest } = withoutOlderNames(message);
  const content = { text, format, attachments };
  return { ...rest, content };
}

function withoutOlderNames(message: OutgoingMessage): Record<string, unknown> {
  const named: Record<string, unknown> = { ...message };
  for (const [older, name] of Object.entries(OLDER_NAMES)) {
    const value = named[older];
    delete named[older];
    if (value === undefined) continue;
    if (named[name] !== undefined && named[name] !== value) throw exclusive(older, name);
    named[name] = value;
  }
  return named;
}

/** The error that version 1.0 of the service returns. */
function exclusive(field: string, other: string): TrunklineError {
  const message = `${field} and ${other} are two names of the same field and have different values.`;
  const details = { fields: [{ field, code: 'exclusive', message }] };
  return new TrunklineError({ status: 400, code: 'invalid_request', message, details });
}
