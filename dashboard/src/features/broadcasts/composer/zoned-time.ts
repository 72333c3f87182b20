const MINUTE_MS = 60_000;

/** The local time in a zone, as the value of a `datetime-local` field. */
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
 * Converts a local time in a zone to a point in time. A time skipped by the start of daylight saving time uses the offset before
 * the change. Returns undefined for an invalid time or an unknown zone.
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
    // Intl rejects the name of the zone.
    return undefined;
  }
}
