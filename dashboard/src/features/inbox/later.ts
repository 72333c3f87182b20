const MORNING = 9;
const HOUR_MS = 3_600_000;
const MONDAY = 1;
const DAYS = 7;
/** The service accepts times up to 365 days ahead. */
const LATEST_MS = 365 * 24 * HOUR_MS;

export const inAnHour = (now: Date): Date => new Date(now.getTime() + HOUR_MS);

export const tomorrowMorning = (now: Date): Date => morningIn(now, 1);

/** The next Monday after today. */
export const mondayMorning = (now: Date): Date =>
  morningIn(now, ((MONDAY - now.getDay() + DAYS - 1) % DAYS) + 1);

function morningIn(now: Date, days: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(MORNING, 0, 0, 0);
  return at;
}

/** Parses the value of a `datetime-local` field in the browser's time zone. Undefined if the service would reject it. */
export function readLocalTime(text: string, now: Date): Date | undefined {
  const at = new Date(text);
  const ahead = at.getTime() - now.getTime();
  return ahead > 0 && ahead < LATEST_MS ? at : undefined;
}

/** Formats a time in the browser's time zone as the value of a `datetime-local` field. */
export function localTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
