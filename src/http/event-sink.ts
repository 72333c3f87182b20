import type { ServerResponse } from 'node:http';
import type { StreamSink } from '../core/events/reader.js';

/** A reader that takes nothing for this long in the middle of a replay is gone. */
const stalledMs = 60_000;

/** The response of a request as the end of an event stream. */
export function eventSink(response: ServerResponse): StreamSink {
  // Small frames must not wait for more to come.
  response.socket?.setNoDelay(true);
  const isClosed = () => response.closed || response.destroyed || response.writableEnded;
  const close = (last?: string) => {
    // A slow reader would not get to the end.
    if (response.writableLength > 0) response.destroy();
    else response.end(last);
  };
  return {
    write(bytes) {
      if (bytes.length > 0 && !isClosed()) response.write(bytes);
    },
    get backlogBytes() {
      return response.writableLength;
    },
    drained() {
      if (isClosed() || !response.writableNeedDrain) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(() => close(), stalledMs);
        const settle = () => {
          clearTimeout(timer);
          response.off('drain', settle).off('close', settle);
          resolve();
        };
        response.once('drain', settle).once('close', settle);
      });
    },
    close,
    get isClosed() {
      return isClosed();
    },
    onClose(listener) {
      if (isClosed()) listener();
      else response.once('close', listener);
    },
  };
}
