import type { ApiVersion } from './api-version.js';
import { callDialect } from './call-dialect.js';
import { conversationDialect } from './conversation-dialect.js';
import { type Dialect, isWireRecord, type WireRecord } from './dialect.js';
import { messageDialect } from './message-dialect.js';

/** Records that look different in 2.0, by the name of their schema. */
const dialects: Readonly<Record<string, Dialect>> = {
  Message: messageDialect,
  Conversation: conversationDialect,
  Call: callDialect,
};

/** Records that `expand` puts inside others and that have a dialect. */
const EXPANDED: Readonly<Record<string, string>> = { conversation: 'Conversation' };

const NOTHING: ReadonlySet<string> = new Set();

/** The dialect of 2.0 for a record type such as `Message`; undefined when the record is equal in both. */
export function dialectOf(type: string | undefined): Dialect | undefined {
  return type !== undefined && Object.hasOwn(dialects, type) ? dialects[type] : undefined;
}

/** A record as a version shows it; `record` is in its 1.0 shape. */
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
