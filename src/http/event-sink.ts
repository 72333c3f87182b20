import type { ServerResponse } from 'node:http';
import type { StreamSink } from '../core/events/reader.js';

/** A reader that takes no data for this long during a replay is disconnected. */
const stalledMs = 60_000;

/** A stream sink that writes to the response of a request. */
export function eventSink(response: ServerResponse): StreamSink {
  // Send small frames without a delay.
  response.socket?.setNoDelay(true);
  const isClosed = () => response.closed || response.destroyed || response.writableEnded;
  const close = (last?: string) => {
    // A slow reader would not receive the last frame.
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
