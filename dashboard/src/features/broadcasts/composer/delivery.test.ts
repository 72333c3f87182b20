import { describe, expect, it } from 'vitest';
import type { Broadcast } from '../queries';
import { deliveryBody, deliveryOf, hasTimes, PLAIN } from './delivery';
import { localInZone, timeInZone } from './zoned-time';

describe('A time in a zone', () => {
  it.each([
    ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2026-07-01T09:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
    ['2026-12-01T09:00', 'Asia/Kolkata', '2026-12-01T03:30:00.000Z'],
    ['2026-12-01T09:00', 'America/New_York', '2026-12-01T14:00:00.000Z'],
    ['2026-12-01T09:00', 'Pacific/Kiritimati', '2026-11-30T19:00:00.000Z'],
  ])('%s in %s is %s, and is shown as it was entered', (local, zone, utc) => {
    const at = timeInZone(local, zone) as Date;
    expect(at.toISOString()).toBe(utc);
    expect(localInZone(at, zone)).toBe(local);
  });

  it.each([
    ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T03:30'],
    ['2027-03-14T02:30', 'America/New_York', '2027-03-14T03:30'],
    ['2027-03-28T00:30', 'Atlantic/Azores', '2027-03-28T01:30'],
  ])('%s, which does not exist in %s, is %s', (local, zone, shown) => {
    expect(localInZone(timeInZone(local, zone) as Date, zone)).toBe(shown);
  });

  it.each([
    ['', 'Europe/Berlin'],
    ['tomorrow', 'Europe/Berlin'],
    ['2026-12-01T09:00', 'Europe/Nowhere'],
  ])('is nothing for %j in %s', (local, zone) => {
    expect(timeInZone(local, zone)).toBeUndefined();
  });
});

describe('The delivery of a broadcast', () => {
  it('sends nothing that was not chosen', () => {
    expect(deliveryBody(PLAIN)).toEqual({ platforms: [], throttle: null, fallback: null, schedule: null });
  });

  it('needs the time at which it begins', () => {
    expect(hasTimes(PLAIN)).toBe(true);
    expect(hasTimes({ ...PLAIN, begin: 'fixed' })).toBe(false);
    expect(hasTimes({ ...PLAIN, begin: 'fixed', at: '2026-12-01T09:00' })).toBe(true);
    expect(hasTimes({ ...PLAIN, begin: 'fixed', at: '2026-12-01T09:00', zone: 'Nowhere' })).toBe(false);
    expect(hasTimes({ ...PLAIN, expiresAt: 'soon' })).toBe(false);
  });

  const stored = {
    platforms: ['sms'],
    throttle: { per_minute: 600 },
    fallback: { after_seconds: 90, success_status: 'read' },
    schedule: {
      at: '2026-12-01T08:00:00.000Z',
      local_time: null,
      mode: 'fixed',
      quiet_hours: { days: [0, 6], from: '21:00', to: '08:00', timezone: 'Europe/Berlin' },
      expires_at: '2026-12-02T08:00:00.000Z',
    },
  } as unknown as Broadcast;

  it('is stored as it was read', () => {
    const { platforms, throttle, fallback, schedule } = stored;
    expect(deliveryBody(deliveryOf(stored))).toEqual({ platforms, throttle, fallback, schedule });
  });

  it('shows the UTC time of recipients as their local time', () => {
    const schedule = { ...stored.schedule, mode: 'recipient_local', quiet_hours: null };
    const { at, begin } = deliveryOf({ ...stored, schedule } as Broadcast);
    expect([at, begin]).toEqual(['2026-12-01T08:00', 'recipient_local']);
  });
});
