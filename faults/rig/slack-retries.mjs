/** Slack says 100 ms, a minute, five minutes, and hourly with Delayed Events: in the time of a short run. */
export const QUICK_RETRIES_MS = [100, 1_000, 2_000, ...Array(60).fill(3_000)];

/** What Slack says, without Delayed Events: after six minutes an event is gone. */
export const DOCUMENTED_RETRIES_MS = [100, 60_000, 300_000];

/** The same in the time of a short run: most events are gone before the service is back. */
export const SCANTY_RETRIES_MS = [100, 500, 1_000];

/** The same with Delayed Events, without an hour between two of them. */
export const LONG_RETRIES_MS = [100, 60_000, 300_000, ...Array(10).fill(60_000)];
