import { clock } from './clock.js';

/**
 * Milliseconds that a `Retry-After` header asks for, by seconds or by a date (RFC 9110, section 10.2.3): 0 for a date that is
 * past. Decimals, which the RFC has not, are taken as they are meant. Undefined when there is none, or one that says nothing.
 */
export function waitMsIn(header: string | null | undefined, nowMs = clock.now()): number | undefined {
  const value = header?.trim() ?? '';
  if (value === '') return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, until - nowMs);
}
