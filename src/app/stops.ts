import type { Log } from '../core/common/log.js';

/** Stops something that was started. */
export type Stop = () => Promise<unknown>;

/** Stops everything in the reverse order of the start. A failed stop does not prevent the others. */
export async function stopAll(stops: Stop[], log: Log): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    try {
      await stop();
    } catch (err) {
      log.warn({ err }, 'stop.failed');
    }
  }
}
