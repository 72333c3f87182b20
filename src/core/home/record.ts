import { z } from 'zod';
import { connectionRecord } from '../platforms/record.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** What the first screen of the dashboard shows, in one answer. */
export const homeRecord = z.object({
  connections: z.array(
    z.object({
      id: wireId,
      platform: z.string(),
      name: z.string(),
      status: connectionRecord.shape.status,
      health: connectionRecord.shape.health,
    }),
  ),
  deliveries: z.object({
    /** When the oldest delivery that waits or is being sent was accepted. */
    oldest_waiting_at: wireTime.nullable(),
    /** Failed, expired and uncertain ones; counted up to the limit. */
    troubled: z.int(),
    is_counted_out: z.boolean(),
  }),
  /** Null for members who see only the conversations of their teams, and so is the traffic. */
  webhooks: z
    .object({
      enabled: z.int(),
      /** Those that fail, and those that were disabled because of it. */
      troubled: z.int(),
      attempts: z.int(),
      succeeded: z.int(),
    })
    .nullable(),
  /** The last 24 hours, the oldest one first. */
  traffic: z.array(z.object({ start: wireTime, inbound: z.int(), outbound: z.int() })).nullable(),
  /** What a new workspace has done already. */
  done: z.object({
    connection: z.boolean(),
    conversation: z.boolean(),
    member: z.boolean(),
    program: z.boolean(),
  }),
});
export type HomeRecord = z.infer<typeof homeRecord>;

/** What the store counts. */
export type HomeFigures = Pick<HomeRecord, 'deliveries' | 'done'> & {
  readonly webhooks: Pick<NonNullable<HomeRecord['webhooks']>, 'enabled' | 'troubled'>;
};

/** Failures are counted up to here. */
export const MAX_TROUBLED = 1_000;
