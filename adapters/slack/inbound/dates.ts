const ORDINALS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinal = new Intl.PluralRules('en-US', { type: 'ordinal' });

/** Newer ICU releases put a narrow no-break space before AM and PM. */
const part = (at: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(at).replaceAll('\u202f', ' ');

const day = (at: Date): string => `${at.getUTCDate()}${ORDINALS[ordinal.select(at.getUTCDate())]}`;
const month = (at: Date, style: 'long' | 'short'): string => part(at, { month: style });

const long = (at: Date): string => `${month(at, 'long')} ${day(at)}, ${at.getUTCFullYear()}`;
const short = (at: Date): string => `${month(at, 'short')} ${at.getUTCDate()}, ${at.getUTCFullYear()}`;
const full = (at: Date): string => `${part(at, { weekday: 'long' })}, ${long(at)}`;
const time = (at: Date): string => `${part(at, { hour: 'numeric', minute: '2-digit' })} UTC`;
const seconds = (at: Date): string =>
  `${part(at, { hour: 'numeric', minute: '2-digit', second: '2-digit' })} UTC`;

/** The tokens of a date format (docs.slack.dev/messaging/formatting-message-text#date-formatting). */
const TOKENS: Readonly<Record<string, (at: Date) => string>> = {
  date_num: (at) => at.toISOString().slice(0, 10),
  date_slash: (at) => part(at, { year: 'numeric', month: '2-digit', day: '2-digit' }),
  date: long,
  date_pretty: long,
  date_short: short,
  date_short_pretty: short,
  date_long: full,
  date_long_pretty: full,
  date_long_full: full,
  day_divider_pretty: full,
  time,
  time_secs: seconds,
  ago: (at) => `${long(at)}, ${time(at)}`,
};

/**
 * Formats a time in UTC, because the time zone of readers on other platforms is unknown. Undefined for an invalid time.
 */
export function formatDate(timestamp: string | number | undefined, format: string): string | undefined {
  if (timestamp === undefined || !/^-?\d{1,12}(\.\d+)?$/.test(String(timestamp))) return undefined;
  const at = new Date(Number(timestamp) * 1000);
  if (Number.isNaN(at.getTime())) return undefined;
  const text = format.replace(/\{([a-z_]+)\}/g, (all, token: string) => TOKENS[token]?.(at) ?? all);
  return text.trim() === '' ? `${TOKENS.date?.(at)}` : text;
}
