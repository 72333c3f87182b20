const TIME =
  /^(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(?:(?:UTC|GMT|Z)\s*)?(?:([+-])(\d{2}):?(\d{2}))?$/;

/**
 * Parses an XMLTV time: the digits of year, month, day, hour, minute and second, then an offset from UTC. Digits at the end may
 * be missing. The default offset is zero. Undefined for anything else.
 */
export function readXmltvTime(text: string): Date | undefined {
  const match = TIME.exec(text.trim());
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date moves a day or time that does not exist to another one.
  const same =
    local.getUTCMonth() === month - 1 && local.getUTCDate() === day && local.getUTCHours() === hour;
  if (!same || minute > 59 || year < 1970) return undefined;
  const offsetMinutes = Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0);
  return new Date(local.getTime() - (match[7] === '-' ? -1 : 1) * offsetMinutes * 60_000);
}

/** Endings of ids that look like a country but are used for any purpose. */
const UNBOUND = new Set(['tv', 'fm', 'am', 'me', 'io', 'co', 'cc', 'to', 'ws', 'la', 'gg', 'ai', 'zz']);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The country (ISO 3166) at the end of a channel id such as `bbc1.bbc.co.uk` or `BBCOne.uk@SD`. */
export function countryOf(id: string): string | undefined {
  const end = (/\.([a-z]{2})@/i.exec(id) ?? /\.([a-z]{2})$/i.exec(id))?.[1]?.toLowerCase();
  if (end === undefined || UNBOUND.has(end)) return undefined;
  const code = end === 'uk' ? 'GB' : end.toUpperCase();
  return regions.of(code) === undefined ? undefined : code;
}
