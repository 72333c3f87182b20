/** Slack's retries with Delayed Events, which continue hourly, shortened for a short run. */
export const QUICK_RETRIES_MS = [100, 1_000, 2_000, ...Array(60).fill(3_000)];

/** Slack's documented retries without Delayed Events. After six minutes an event is gone. */
export const DOCUMENTED_RETRIES_MS = [100, 60_000, 300_000];

/** The same, shortened for a short run. Most events are gone before the service is back. */
export const SCANTY_RETRIES_MS = [100, 500, 1_000];

/** Slack's retries with Delayed Events, each after a minute instead of an hour. */
export const LONG_RETRIES_MS = [100, 60_000, 300_000, ...Array(10).fill(60_000)];
