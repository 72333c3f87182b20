import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../../../contract/clock.js';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 300_000;

/** Waits before the next try: as long as the response asks for, otherwise twice as long after each try. */
export async function waitForRetry(tries: number, waitMs: number | undefined): Promise<void> {
  await sleep(Math.min(waitMs ?? FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS));
}

/** The Retry-After header in milliseconds. It may be a number of seconds or a date. */
export function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (text === null) return undefined;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - clock.now();
  return Number.isFinite(wait) ? Math.max(wait, 0) : undefined;
}
