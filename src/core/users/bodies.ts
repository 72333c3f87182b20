import { z } from 'zod';
import {
  locale,
  metadata,
  phone,
  platformId,
  text,
  timezone,
  url,
  username,
  uuid,
} from '../schema/scalars.js';
import { consentStates, presences } from './record.js';

/** Request bodies of users. */

const email = text(0, 254).refine((value) => value === '' || z.email().safeParse(value).success, {
  error: 'must be an e-mail address, or empty',
  params: { code: 'invalid_format' },
});

const identity = z.object({
  platform: platformId,
  external_id: text(1, 256),
  handle: text(1, 256).nullish(),
});

/** Addresses that are equal only in the form of their platform are detected later. */
const identities = z
  .array(identity)
  .max(50)
  .refine((all) => new Set(all.map((one) => `${one.platform} ${one.external_id}`)).size === all.length, {
    error: 'names an address twice',
    params: { code: 'duplicate' },
  });

const consent = z.object({
  marketing: z.enum(consentStates).optional(),
  notification: z.enum(consentStates).optional(),
  tracking: z.enum(consentStates).optional(),
});

const channelPriority = z.array(platformId).max(50);

/** The body of POST users: a contact. */
export const createUserBody = z.object({
  username: username.optional(),
  display_name: text(1, 128),
  email: email.default(''),
  profile_image: url.optional(),
  phone: phone.nullish(),
  locale: locale.nullish(),
  timezone: timezone.nullish(),
  identities: identities.default([]),
  channel_priority: channelPriority.default([]),
  consent: consent.default({}),
  metadata: metadata.default({}),
});
export type CreateUserBody = z.output<typeof createUserBody>;

/** The body of PATCH for a contact, and for the caller's own profile by its id. Each accepts only its own of these fields. */
export const changeUserBody = z.object({
  username: username.optional(),
  display_name: text(1, 128).optional(),
  email: email.optional(),
  profile_image: url.optional(),
  status: z.enum(['active', 'blocked']).optional(),
  presence: z.enum(presences).optional(),
  phone: phone.nullish(),
  locale: locale.nullish(),
  timezone: timezone.nullish(),
  identities: identities.optional(),
  channel_priority: channelPriority.optional(),
  consent: consent.optional(),
  metadata: metadata.optional(),
});
export type ChangeUserBody = z.output<typeof changeUserBody>;

/** The body of POST merge. */
export const mergeUsersBody = z.object({ source_id: uuid });

/** The body of PATCH for the own profile. */
export const changeMeBody = z.object({
  username: username.optional(),
  display_name: text(1, 128).optional(),
  profile_image: url.optional(),
  presence: z.enum(presences).optional(),
  locale: locale.nullish(),
  timezone: timezone.nullish(),
  metadata: metadata.optional(),
});
export type ChangeMeBody = z.output<typeof changeMeBody>;
