import type { Container } from 'inversify';
import { RequestCounter } from '../../core/access/request-counter.js';
import type { Log } from '../../core/common/log.js';
import * as ports from '../../core/modules/tokens.js';
import { rateWindowsAsked, rateWindowsReturned } from '../../store/access/rate-windows.js';
import type { Notifications } from '../../store/connection/notifications.js';

export interface RequestCountingOptions {
  readonly container: Container;
  readonly log: Log;
  readonly notifications: Notifications;
}

/** Creates the counter for requests of rate-limited credentials. Processes exchange their counts through notifications. */
export async function requestCounting(options: RequestCountingOptions): Promise<RequestCounter> {
  const { container, log, notifications } = options;
  const counter = new RequestCounter({ windows: container.get(ports.RateWindows), log });
  await notifications.listen(rateWindowsAsked, (payload) => {
    const [holder = '', bucket = '', hour] = payload.split(' ');
    counter.asked(holder, { bucket, hour: Number(hour) });
  });
  await notifications.listen(rateWindowsReturned, (payload) => {
    const [bucket = '', hour] = payload.split(' ');
    counter.returned({ bucket, hour: Number(hour) });
  });
  return counter;
}
