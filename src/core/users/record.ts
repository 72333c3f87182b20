import { z } from 'zod';
import { bareNumber, phoneNumber } from '../../contract/phone-number.js';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** People of a workspace in the form of the API, version 1.0. */

const userStatuses = ['active', 'invited', 'blocked', 'suspended', 'deleted'] as const;
const userKinds = ['member', 'contact', 'bot'] as const;
export const presences = ['online', 'away', 'busy', 'offline'] as const;
export const consentStates = ['unknown', 'granted', 'denied'] as const;

const identityRecord = z
  .object({
    platform: z.string(),
    external_id: z.string().meta({ description: "The person's id on the platform." }),
    handle: z.string().nullable(),
    verified: z.boolean(),
    reachable: z.boolean(),
    opt_out: z.array(z.string()).meta({ description: 'Of marketing and notification.' }),
  })
  .meta({ id: 'Identity' });

export const userRecord = z
  .object({
    id: wireId,
    username: z.string(),
    display_name: z.string(),
    email: z.string().meta({ description: 'Empty when unknown.' }),
    profile_image: z.string(),
    status: z.enum(userStatuses),
    kind: z.enum(userKinds),
    presence: z.enum(presences),
    last_seen_at: wireTime.nullable(),
    phone: z.string().nullable(),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    identities: z.array(identityRecord),
    channel_priority: z.array(z.string()).meta({ description: 'Order of platforms to reach the user.' }),
    consent: z.object({
      marketing: z.enum(consentStates),
      notification: z.enum(consentStates),
      tracking: z.enum(consentStates),
    }),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'User' });
export type UserRecord = z.infer<typeof userRecord>;

export const userList: ListSpec = recordList({
  sort: ['display_name', 'last_seen_at'],
  metadata: true,
  filter: {
    status: { type: 'enum' },
    kind: { type: 'enum' },
    presence: { type: 'enum' },
    username: { type: 'string' },
    display_name: { type: 'string' },
    email: { type: 'string' },
    phone: { type: 'string', nullable: true, form: bareNumber },
    platform: { type: 'array' },
    'identities.address': { type: 'array', form: (text) => phoneNumber(text) ?? text },
  },
});

/** A change of one consent of a contact: old and new state, source and author. */
export const consentChangeRecord = z.object({
  id: wireId,
  category: z.enum(['marketing', 'notification', 'tracking']),
  previous: z.enum(consentStates),
  state: z.enum(consentStates),
  source: z.enum(['keyword', 'platform', 'member', 'api', 'import', 'merge']),
  keyword: z.string().nullable(),
  actor_id: wireId.nullable(),
  actor_name: z.string().nullable(),
  created_at: wireTime,
});
export type ConsentChangeRecord = z.infer<typeof consentChangeRecord>;

export const consentChangeList: ListSpec = {
  sort: ['created_at'],
  filter: { id: { type: 'uuid' }, created_at: { type: 'timestamp' }, category: { type: 'enum' } },
};
