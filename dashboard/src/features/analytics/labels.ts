import type { LocalAnalytics } from '../../api/analytics-paths';
import { language } from '../../i18n/language';

const day = new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' });
const shortDay = new Intl.DateTimeFormat(language, { timeZone: 'UTC', day: 'numeric', month: 'short' });
const whole = new Intl.NumberFormat(language);

/**
 * Names of the buckets for the table and the plot. When clocks go back, two hours have the same name, so both show their offset.
 */
export function bucketNames({ interval, time_zone: timeZone }: LocalAnalytics, starts: readonly string[]) {
  if (interval === 'day') {
    return starts.map((start) => ({
      full: day.format(new Date(start)),
      short: shortDay.format(new Date(start)),
    }));
  }
  const hour = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(language, { timeZone, timeStyle: 'short' });
  const offset = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'shortOffset' });
  const names = starts.map((start) => hour.format(new Date(start)));
  const offsetAt = (start: string) =>
    offset.formatToParts(new Date(start)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return starts.map((start, index) => {
    const name = names[index] ?? '';
    const isTwice = name === names[index - 1] || name === names[index + 1];
    return { full: isTwice ? `${name} ${offsetAt(start)}` : name, short: clock.format(new Date(start)) };
  });
}

/** Whether hours in UTC and hours in the zone start at different minutes. */
export function hasPartHours(timeZone: string, at: readonly string[]): boolean {
  const minute = new Intl.DateTimeFormat('en-GB', { timeZone, minute: 'numeric' });
  return at.some((start) => Number(minute.format(new Date(start))) !== 0);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in its two largest units. */
function durationName(seconds: number): string {
  const left = Math.round(seconds);
  const first = UNITS.findIndex(([, size]) => left >= size);
  const index = first === -1 ? UNITS.length - 1 : first;
  const [unit, size] = UNITS[index] ?? UNITS[3];
  const rest = UNITS[index + 1];
  const more = rest === undefined ? 0 : Math.floor((left % size) / rest[1]);
  const named = (value: number, name: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  const main = named(Math.floor(left / size), unit);
  return rest === undefined || more === 0 ? main : `${main} ${named(more, rest[0])}`;
}

export const cellName = (cell: number | null, unit: 'count' | 'seconds'): string => {
  if (cell === null) return '–';
  return unit === 'count' ? whole.format(cell) : durationName(cell);
};
