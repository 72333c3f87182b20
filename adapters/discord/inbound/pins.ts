import type { DiscordMessage } from './payloads.js';

/** Discord replays the events of a session for some minutes. */
const EDIT_TOLD_WITHIN_MS = 5 * 60_000;

/**
 * Every update of a message repeats the time of its last edit. Of a pinned message, an old time tells that this update is the
 * pin. Other updates without an edit repeat the content as well, and so change nothing.
 */
export function isPin({ pinned, edited_timestamp }: DiscordMessage, receivedAt: string | undefined): boolean {
  const age = Date.parse(receivedAt ?? '') - Date.parse(edited_timestamp ?? '');
  return pinned === true && age > EDIT_TOLD_WITHIN_MS;
}
