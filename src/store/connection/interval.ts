/** A span of time as PostgreSQL reads it. */
export type Interval = `${number} ${'microseconds' | 'seconds' | 'minutes' | 'hours' | 'days'}`;

/** Whole microseconds, which is what PostgreSQL keeps: a small fraction would be written in a way that it does not read. */
export function milliseconds(ms: number): Interval {
  return `${Math.round(ms * 1_000)} microseconds`;
}
