import { z } from 'zod';
import { clock } from '../../contract/clock.js';
import { sendAt } from '../messages/bodies.js';
import { timezone } from '../schema/scalars.js';

/** The schedule of a broadcast in a request body. */

const HOUR_MS = 3_600_000;
const MAX_AHEAD_MS = 365 * 24 * HOUR_MS;
/** The largest UTC offsets behind and ahead of UTC. */
const MAX_OFFSET_BEHIND_MS = 12 * HOUR_MS;
const MAX_OFFSET_AHEAD_MS = 14 * HOUR_MS;
/** A time counts as being in the future until this long after it. */
const PAST_SLACK_MS = 60_000;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 22:00' });

/** Interprets a local time as UTC, in milliseconds. Undefined for a date that does not exist. */
function asUtc(local: string): number | undefined {
  const time = Date.parse(`${local}:00.000Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(local) ? undefined : time;
}

/** A wall clock time without an offset. Limited by the time zones furthest from UTC. */
const localTime = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) && asUtc(value) !== undefined, {
    error: 'must be a time without an offset such as 2026-01-01T09:00',
    params: { code: 'invalid_format' },
    abort: true,
  })
  .refine((value) => (asUtc(value) ?? 0) >= clock.now() - MAX_OFFSET_BEHIND_MS - PAST_SLACK_MS, {
    error: 'is past in every time zone',
    params: { code: 'too_small' },
  })
  .refine((value) => (asUtc(value) ?? 0) <= clock.now() + MAX_AHEAD_MS + MAX_OFFSET_AHEAD_MS, {
    error: 'must be at most 365 days ahead',
    params: { code: 'too_large' },
  });

const quietHours = z
  .object({
    days: z.array(z.int().min(0).max(6)).max(7).nullish(),
    from: timeOfDay.nullish(),
    to: timeOfDay.nullish(),
    timezone: timezone.nullish(),
  })
  .superRefine(({ from, to }, context) => {
    const problem = (field: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    if ((from == null) !== (to == null)) {
      problem(from == null ? 'from' : 'to', 'required', 'is required with the other bound');
    } else if (from != null && from === to) {
      problem('to', 'invalid_value', 'must differ from the other bound');
    }
  });

/** When a broadcast is sent. The store checks whether `local_time` is in the future in a time zone of the audience. */
export const schedule = z
  .object({
    at: sendAt.nullish(),
    local_time: localTime.nullish().meta({
      description:
        "The recipients' wall clock, without an offset. In place of `at`, with `mode: recipient_local`.",
    }),
    mode: z.enum(['fixed', 'recipient_local']).nullish(),
    quiet_hours: quietHours.nullish(),
    expires_at: sendAt.nullish(),
  })
  .superRefine(({ at, local_time: localTime, mode, expires_at: expiresAt }, context) => {
    const problem = (field: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    if (at != null && expiresAt != null && Date.parse(expiresAt) <= Date.parse(at)) {
      problem('expires_at', 'too_small', 'must be after the time at which it begins');
    }
    if (localTime == null) return;
    if (at != null) problem('local_time', 'exclusive', 'either at or local_time');
    if (mode !== 'recipient_local') {
      problem('mode', mode == null ? 'required' : 'invalid_value', 'must be recipient_local with local_time');
    }
  });
