import { setTimeout as sleep } from 'node:timers/promises';

/** Whether the work ends within the limit. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(limitMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return inTime;
}
