const MINUTE_MS = 60_000;

/** What the clocks of a zone show at a time, as a field of type `datetime-local` holds it. */
export function localInZone(at: Date, zone: string): string {
  const { format } = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format(at).replace(' ', 'T');
}

function offsetAt(at: number, zone: string): number {
  return Date.parse(`${localInZone(new Date(at), zone)}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * When the clocks of a zone show a local time. A time that does not exist, because summer time begins, is taken with the offset
 * before the change. Nothing for a text that is no time, and for a name that is no zone.
 */
export function timeInZone(local: string, zone: string): Date | undefined {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return undefined;
  try {
    const near = shown - offsetAt(shown, zone);
    const exact = shown - offsetAt(near, zone);
    const exists = localInZone(new Date(exact), zone) === local;
    return new Date(exists ? exact : Math.max(near, exact));
  } catch {
    // Intl refuses the name of the zone.
    return undefined;
  }
}
