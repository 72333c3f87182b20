import { z } from 'zod';
import { connectionRecord } from '../platforms/record.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** The content of the dashboard's first screen, in one response. */
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
    /** Failed, expired and uncertain deliveries, counted up to the limit. */
    troubled: z.int(),
    is_counted_out: z.boolean(),
  }),
  /** Null, like the traffic, for members who see only the conversations of their teams. */
  webhooks: z
    .object({
      enabled: z.int(),
      /** Webhooks that fail, and webhooks that were disabled because of failures. */
      troubled: z.int(),
      attempts: z.int(),
      succeeded: z.int(),
    })
    .nullable(),
  /** The last 24 hours, oldest first. */
  traffic: z.array(z.object({ start: wireTime, inbound: z.int(), outbound: z.int() })).nullable(),
  /** Steps that a new workspace has already completed. */
  done: z.object({
    connection: z.boolean(),
    conversation: z.boolean(),
    member: z.boolean(),
    program: z.boolean(),
  }),
});
export type HomeRecord = z.infer<typeof homeRecord>;

/** The figures that the store counts. */
export type HomeFigures = Pick<HomeRecord, 'deliveries' | 'done'> & {
  readonly webhooks: Pick<NonNullable<HomeRecord['webhooks']>, 'enabled' | 'troubled'>;
};

/** Maximum count of failures. */
export const MAX_TROUBLED = 1_000;
