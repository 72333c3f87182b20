import type { ApiVersion } from './api-version.js';
import { callDialect } from './call-dialect.js';
import { conversationDialect } from './conversation-dialect.js';
import { type Dialect, isWireRecord, type WireRecord } from './dialect.js';
import { messageDialect } from './message-dialect.js';

/** Dialects by the name of the record's schema. */
const dialects: Readonly<Record<string, Dialect>> = {
  Message: messageDialect,
  Conversation: conversationDialect,
  Call: callDialect,
};

/** Records with a dialect that `expand` embeds in others. */
const EXPANDED: Readonly<Record<string, string>> = { conversation: 'Conversation' };

const NOTHING: ReadonlySet<string> = new Set();

/** The 2.0 dialect of a record type such as `Message`. Undefined if the record is equal in both versions. */
export function dialectOf(type: string | undefined): Dialect | undefined {
  return type !== undefined && Object.hasOwn(dialects, type) ? dialects[type] : undefined;
}

/** A record in the form of a version. `record` has the 1.0 form. */
export function present(
  type: string | undefined,
  record: WireRecord,
  version: ApiVersion,
  expanded: ReadonlySet<string> = NOTHING,
): WireRecord {
  if (version === '1.0') return record;
  const shown = dialectOf(type)?.present(record, expanded) ?? record;
  const inside = [...expanded].filter((name) => Object.hasOwn(EXPANDED, name) && isWireRecord(shown[name]));
  if (inside.length === 0) return shown;
  const parts = inside.map((name) => [name, present(EXPANDED[name], shown[name] as WireRecord, version)]);
  return { ...shown, ...Object.fromEntries(parts) };
}
