import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { text } from '../schema/scalars.js';

/** Notification choices of a member. They apply to all browsers of the member. */
export const notificationChoices = z.object({
  sound_mine: z.boolean(),
  sound_unassigned: z.boolean(),
  sound_calls: z.boolean(),
  push_mine: z.boolean(),
  push_unassigned: z.boolean(),
  push_calls: z.boolean(),
  push_shows_text: z.boolean(),
});
export type NotificationChoices = z.infer<typeof notificationChoices>;

/** The body of PATCH notifications. */
export const changeNotificationsBody = notificationChoices.partial();

const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;
const MAX_ENDPOINT_CHARACTERS = 1_024;

/** Base64url of exactly this number of bytes, without padding, as browsers send it. */
const bytes = (length: number) =>
  text(1, 128).refine((value) => {
    const read = Buffer.from(value, 'base64url');
    return read.length === length && read.toString('base64url') === value;
  }, 'Expected bytes in base64url.');

/** As browsers send it. The database would treat another spelling of the same address as another address. */
const endpoint = text(1, MAX_ENDPOINT_CHARACTERS).refine(
  isPlainHttps,
  'Expected the https address of a push service.',
);

/** The body of PUT push-subscription: the fields of `PushSubscription.toJSON()` in a browser. */
export const pushSubscriptionBody = z.object({
  endpoint,
  keys: z.object({
    p256dh: bytes(PUBLIC_KEY_BYTES).refine(isOnCurve, 'Expected a point of the curve P-256.'),
    auth: bytes(AUTH_BYTES),
  }),
});
export type PushSubscriptionBody = z.output<typeof pushSubscriptionBody>;

function isPlainHttps(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, href, hash } = new URL(value);
  return protocol === 'https:' && href === value && hash === '';
}

function isOnCurve(value: string): boolean {
  try {
    ECDH.convertKey(value, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}
