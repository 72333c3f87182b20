import type { Payload } from '../webhooks/payload.js';

/** Frames of an event stream, in the format of Server-Sent Events. */

/** The first frame. It sets how long a client waits before it reconnects. */
export const retryFrame = 'retry: 3000\n\n';

/** A comment that keeps the connection from appearing idle. */
export const pingFrame = ': ping\n\n';

const gapEvent = 'stream.gap';

/** One event. A client sends its id as `Last-Event-ID` when it reconnects. */
export function eventFrame(payload: Payload): string {
  return `id: ${payload.id}\nevent: ${payload.event}\ndata: ${JSON.stringify(payload)}\n\n`;
}

/**
 * A gap in the stream. With an id: events after that id can't be replayed. Without an id: the reader may no longer see everything
 * that it saw before. The frame has no event id, so that the client keeps its last one.
 */
export function gapFrame(requestedId: string | null, oldestId?: string): string {
  const data = { requested_id: requestedId, oldest_id: oldestId ?? null };
  return `event: ${gapEvent}\ndata: ${JSON.stringify(data)}\n\n`;
}
