import { z } from 'zod';
import type { ListSpec } from '../../listing/list-spec.js';
import { wireId, wireTime } from '../../schema/scalars.js';

/** Edits and recalls of ended broadcasts, as the dashboard shows them. */

export const changeKinds = ['edit', 'recall'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const changeStatuses = ['running', 'stopping', 'completed', 'stopped'] as const;

/** Why a message was not changed although its platform supports the change. */
const impossibleReasons = [
  'deleted',
  'not_sent',
  'unlinked',
  'too_old',
  'missing_variable',
  'refused',
  'uncertain',
  'no_answer',
] as const;

export const broadcastChangeRecord = z.object({
  id: wireId,
  broadcast_id: wireId,
  kind: z.enum(changeKinds),
  text: z.string().nullable(),
  status: z.enum(changeStatuses),
  /** Whether its recipients can still be listed. */
  has_rows: z.boolean(),
  created_by: wireId,
  created_at: wireTime,
  ended_at: wireTime.nullable(),
  platforms: z.array(
    z.object({
      platform: z.string(),
      total: z.int(),
      /** Number of changes sent to the platform without a response yet. */
      open: z.int(),
      changed: z.int(),
      unsupported: z.int(),
      impossible: z.int(),
    }),
  ),
});
export type BroadcastChangeRecord = z.infer<typeof broadcastChangeRecord>;

export const broadcastChangeRecipientRecord = z.object({
  id: wireId,
  user_id: wireId.nullable(),
  message_id: wireId,
  platform: z.string(),
  address: z.string().nullable(),
  /** Null until the platform has responded. */
  result: z.enum(['changed', 'unsupported', 'impossible']).nullable(),
  reason: z.enum(impossibleReasons).nullable(),
  created_at: wireTime,
});
export type BroadcastChangeRecipientRecord = z.infer<typeof broadcastChangeRecipientRecord>;

/** Where a change is possible, before it starts. */
export const changePreviewRecord = z.object({
  kind: z.enum(changeKinds),
  platforms: z.array(
    z.object({
      platform: z.string(),
      name: z.string(),
      recipients: z.int(),
      possible: z.int(),
      /** Why no message can be changed: the platform does not support it, or its adapter is not installed. Otherwise null. */
      unsupported: z.enum(['platform', 'not_installed']).nullable(),
      too_old: z.int(),
      deleted: z.int(),
      /** Maximum age in seconds of a message that the platform changes; null: any age. */
      max_age_s: z.int().nullable(),
    }),
  ),
});
export type ChangePreviewRecord = z.infer<typeof changePreviewRecord>;

export const broadcastChangeRecipientList: ListSpec = {
  sort: ['created_at'],
  filter: {
    id: { type: 'uuid' },
    created_at: { type: 'timestamp' },
    result: { type: 'enum', nullable: true },
    platform: { type: 'enum' },
  },
};
