import { clock } from './clock.js';

/**
 * The wait in milliseconds that a `Retry-After` header requests, as seconds or as a date (RFC 9110, section 10.2.3). 0 for a
 * past date. Decimals are accepted, although the RFC has none. Undefined if the header is absent or invalid.
 */
export function waitMsIn(header: string | null | undefined, nowMs = clock.now()): number | undefined {
  const value = header?.trim() ?? '';
  if (value === '') return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, until - nowMs);
}
