import type { Broadcast } from '../queries';
import { localInZone, timeInZone } from './zoned-time';

export type Begin = 'start' | 'fixed' | 'recipient_local';

/** Form state of the time and manner of delivery. */
export interface Delivery {
  /** In order of preference. Empty uses each recipient's own order. */
  readonly platforms: readonly string[];
  readonly perMinute: string;
  readonly fallbackMinutes: string;
  readonly successStatus: 'sent' | 'delivered' | 'read';
  readonly begin: Begin;
  /** Value of a `datetime-local` field. */
  readonly at: string;
  readonly expiresAt: string;
  readonly quietFrom: string;
  readonly quietTo: string;
  /** Days on which quiet hours begin. 0 is Sunday. Empty means all days. */
  readonly quietDays: readonly number[];
  /** Time zone of all these times, except a time that is local to each recipient. */
  readonly zone: string;
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const PLAIN: Delivery = {
  platforms: [],
  perMinute: '',
  fallbackMinutes: '',
  successStatus: 'delivered',
  begin: 'start',
  at: '',
  expiresAt: '',
  quietFrom: '',
  quietTo: '',
  quietDays: [],
  zone: ownZone(),
};

const MINUTE_S = 60;

/** The part of the request body with time and manner of delivery. */
export function deliveryBody(delivery: Delivery) {
  const { platforms, perMinute, fallbackMinutes, successStatus } = delivery;
  return {
    platforms,
    throttle: perMinute.trim() === '' ? null : { per_minute: Number(perMinute) },
    fallback:
      fallbackMinutes.trim() === ''
        ? null
        : { after_seconds: Math.round(Number(fallbackMinutes) * MINUTE_S), success_status: successStatus },
    schedule: scheduleOf(delivery),
  };
}

function scheduleOf({ begin, at, expiresAt, quietFrom, quietTo, quietDays, zone }: Delivery) {
  const hasQuiet = quietFrom !== '' || quietTo !== '';
  if (begin === 'start' && !hasQuiet && expiresAt === '') return null;
  const utc = (local: string) => timeInZone(local, zone)?.toISOString() ?? null;
  return {
    mode: begin === 'recipient_local' ? begin : ('fixed' as const),
    at: begin === 'fixed' ? utc(at) : null,
    local_time: begin === 'recipient_local' ? at : null,
    quiet_hours: hasQuiet
      ? { days: quietDays, from: quietFrom || null, to: quietTo || null, timezone: zone }
      : null,
    expires_at: utc(expiresAt),
  };
}

/** Whether every required time is valid. */
export function hasTimes({ begin, at, expiresAt, zone }: Delivery): boolean {
  const isTime = (local: string) => timeInZone(local, zone) !== undefined;
  return (begin === 'start' || isTime(at)) && (expiresAt === '' || isTime(expiresAt));
}

/** Converts a stored broadcast to form state. */
export function deliveryOf({ platforms, throttle, fallback, schedule }: Broadcast): Delivery {
  const asked = fallback as { after_seconds: number; success_status: Delivery['successStatus'] } | null;
  const zone = schedule?.quiet_hours?.timezone ?? ownZone();
  return {
    platforms,
    perMinute: throttle === null ? '' : String(throttle.per_minute),
    fallbackMinutes: asked === null ? '' : String(asked.after_seconds / MINUTE_S),
    successStatus: asked?.success_status ?? PLAIN.successStatus,
    ...timesOf(schedule, zone),
    zone,
  };
}

function timesOf(schedule: Broadcast['schedule'], zone: string) {
  const { at = null, local_time = null, mode, quiet_hours: quiet, expires_at = null } = schedule ?? {};
  const shown = (time: string | null) => (time === null ? '' : localInZone(new Date(time), zone));
  const isLocal = mode === 'recipient_local';
  const begin: Begin = isLocal ? 'recipient_local' : at === null ? 'start' : 'fixed';
  return {
    begin,
    // A recipient-local time may be stored as a UTC time.
    at: isLocal ? (local_time ?? at?.slice(0, 'YYYY-MM-DDTHH:mm'.length) ?? '') : shown(at),
    expiresAt: shown(expires_at),
    quietFrom: quiet?.from ?? '',
    quietTo: quiet?.to ?? '',
    quietDays: quiet?.days ?? [],
  };
}
