import { clock } from '../../contract/clock.js';

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Reads an RFC 3339 date-time with any offset, in the years 1970 to 9999, as ISO 8601 UTC with milliseconds.
 *
 * Returns undefined for any other text, including days and times that do not exist. Digits beyond milliseconds are
 * truncated. A leap second, which only the last minute of a month in UTC can have, becomes the first second of the next minute.
 */
export function readTimestamp(text: string): string | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return undefined;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000 * (match[8] === '-' ? -1 : 1);
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offsetMs);
  if (second === 60 && !beginsMonth(at)) return undefined;
  return at.getUTCFullYear() >= 1970 && at.getUTCFullYear() <= 9999 ? at.toISOString() : undefined;
}

/** Whether a time is in the first second of a month in UTC. */
function beginsMonth(at: Date): boolean {
  return at.getUTCDate() === 1 && at.getUTCHours() + at.getUTCMinutes() + at.getUTCSeconds() === 0;
}

/** Milliseconds since 1970, by the clock that all processes share. */
export const timeNow = (): number => clock.now();
