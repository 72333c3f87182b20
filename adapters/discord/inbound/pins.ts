import type { DiscordMessage } from './payloads.js';

/** Maximum age of an edit that an update reports. Discord replays the events of a session for a few minutes. */
const MAX_EDIT_AGE_MS = 5 * 60_000;

/**
 * Every update of a message repeats the time of its last edit. If the message is pinned and that time is old, the
 * update is the pin. Other updates without an edit repeat the content and change nothing.
 */
export function isPin({ pinned, edited_timestamp }: DiscordMessage, receivedAt: string | undefined): boolean {
  const age = Date.parse(receivedAt ?? '') - Date.parse(edited_timestamp ?? '');
  return pinned === true && age > MAX_EDIT_AGE_MS;
}
