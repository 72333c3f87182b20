const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Larger than the UTC offset of any time zone. */
const FARTHEST_MS = 15 * HOUR_MS;

/** The clock of a time zone, based on the time zone data of this runtime. */
export class LocalClock {
  private readonly format: Intl.DateTimeFormat;

  constructor(readonly timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** The local time, as the milliseconds of the same clock reading in UTC. */
  private reading(at: number): number {
    const parts = Object.fromEntries(this.format.formatToParts(at).map(({ type, value }) => [type, value]));
    return Date.parse(
      `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}Z`,
    );
  }

  dateOf(at: number): string {
    return new Date(this.reading(at)).toISOString().slice(0, 10);
  }

  /** A local time with its offset, such as `2026-11-27T14:00+01:00`. */
  timeOf(at: number): string {
    const reading = this.reading(at);
    const offset = Math.round((reading - at) / 60_000);
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(twoDigits);
    return `${new Date(reading).toISOString().slice(0, 16)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  }

  /** The starts of all UTC hours that begin within the local dates. */
  hoursOf(first: string, last: string): number[] {
    const end = Date.parse(last) + DAY_MS + FARTHEST_MS;
    const hours: number[] = [];
    for (let at = Date.parse(first) - FARTHEST_MS; at < end; at += HOUR_MS) {
      const date = this.dateOf(at);
      if (date >= first && date <= last) hours.push(at);
    }
    return hours;
  }
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

export function datesOf(first: string, last: string): string[] {
  const dates: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) dates.push(dateAt(at));
  return dates;
}

export const dateAt = (at: number): string => new Date(at).toISOString().slice(0, 10);
