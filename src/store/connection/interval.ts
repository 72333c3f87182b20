/** A span of time in PostgreSQL's syntax. */
export type Interval = `${number} ${'microseconds' | 'seconds' | 'minutes' | 'hours' | 'days'}`;

/**
 * Whole microseconds, which is PostgreSQL's precision. JavaScript writes a small fraction in a notation that PostgreSQL does not
 * read.
 */
export function milliseconds(ms: number): Interval {
  return `${Math.round(ms * 1_000)} microseconds`;
}
