import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { text } from '../schema/scalars.js';

/** Choices about notifications, which follow the person. */
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

/** Exactly these bytes in base64url; browsers leave the padding out. */
const bytes = (length: number) =>
  text(1, 128).refine((value) => {
    const read = Buffer.from(value, 'base64url');
    return read.length === length && read.toString('base64url') === value;
  }, 'Expected bytes in base64url.');

/** As a browser writes it: another spelling of the same address would be another address to the database. */
const endpoint = text(1, MAX_ENDPOINT_CHARACTERS).refine(
  isPlainHttps,
  'Expected the https address of a push service.',
);

/** The body of PUT push-subscription: what `PushSubscription.toJSON()` of a browser has. */
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
