import type { Payload } from '../webhooks/payload.js';

/** Frames of an event stream, as Server-Sent Events write them. */

/** The first frame: how long a client waits before it connects again. */
export const retryFrame = 'retry: 3000\n\n';

/** A comment that keeps the connection from looking idle. */
export const pingFrame = ': ping\n\n';

const gapEvent = 'stream.gap';

/** One event: its id is what a client sends as `Last-Event-ID`. */
export function eventFrame(payload: Payload): string {
  return `id: ${payload.id}\nevent: ${payload.event}\ndata: ${JSON.stringify(payload)}\n\n`;
}

/**
 * What was asked for can't be replayed, or, without an id, the reader no longer sees all that they saw. It has no id, so that
 * the client keeps the one it has.
 */
export function gapFrame(requestedId: string | null, oldestId?: string): string {
  const data = { requested_id: requestedId, oldest_id: oldestId ?? null };
  return `event: ${gapEvent}\ndata: ${JSON.stringify(data)}\n\n`;
}
