import { language } from './language';

const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const wall = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' });

// The first use of a formatter takes up to 20 ms, which would delay opening a conversation visibly.
globalThis.requestIdleCallback?.(() => {
  for (const each of [time, day, date, full, moment, weekday]) each.format(0);
});

const isSameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();

export const clockTime = (at: string): string => time.format(new Date(at));
export const fullTime = (at: string): string => full.format(new Date(at));
/** For people who plan, to whom seconds say nothing. */
export const momentTime = (at: string): string => moment.format(new Date(at));
/** A time on the clock of each recipient, for example 2026-12-03T09:00. */
export const wallTime = (local: string): string => wall.format(Date.parse(`${local}Z`));
export const dayName = (at: string): string => weekday.format(new Date(at));
export const dayOf = (at: string): string => new Date(at).toDateString();

/** A short form for lists: the time for today, otherwise the date, with the year if it differs from the current one. */
export function shortTime(at: string, now = new Date()): string {
  const when = new Date(at);
  if (isSameDay(when, now)) return time.format(when);
  return when.getFullYear() === now.getFullYear() ? day.format(when) : date.format(when);
}

const precise = new Intl.DateTimeFormat(language, {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
export const preciseTime = (at: string): string => precise.format(new Date(at));

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** A duration in its largest unit. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? ['millisecond', 1];
  const form = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, form).format(ms / size);
}

const LONG = UNITS.slice(0, 4);

/** A duration in its two largest units, in whole seconds. */
export function lengthOfTime(ms: number): string {
  let left = Math.round(ms / 1_000) * 1_000;
  const parts = LONG.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    const form = { style: 'unit', unit, unitDisplay: 'short' } as const;
    return count === 0 ? [] : [new Intl.NumberFormat(language, form).format(count)];
  });
  return parts.length === 0 ? duration(ms) : parts.slice(0, 2).join(' ');
}

/** The time of day in a time zone, with the weekday. Empty for a zone that the browser does not know. */
export function timeIn(timeZone: string, at: Date): string {
  try {
    return at.toLocaleTimeString(language, {
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    });
  } catch {
    return '';
  }
}
