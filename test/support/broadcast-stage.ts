import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { Audiences, completeSchedule } from '../../src/core/broadcasts/audience.js';
import type { FrequencyCap, NewBroadcast } from '../../src/core/broadcasts/ports.js';
import type { BroadcastRecord } from '../../src/core/broadcasts/record.js';
import { RunBroadcast } from '../../src/core/broadcasts/run.js';
import { ControlBroadcast } from '../../src/core/broadcasts/use-cases.js';
import { PostgresBroadcasts } from '../../src/store/broadcasts/broadcasts.js';
import { PostgresBroadcastWork } from '../../src/store/broadcasts/recipients.js';
import { PostgresUsers } from '../../src/store/people/users.js';
import { PostgresSegments } from '../../src/store/segments/segments.js';
import { bridgeStage } from './bridge.js';
import { values } from './people.js';

/** A workspace whose broadcasts the test runs step by step, over a real database. */
export async function broadcastStage(pool: Pool, cap: FrequencyCap | null = null) {
  const bridge = await bridgeStage(pool);
  const broadcasts = new PostgresBroadcasts(pool);
  const work = new PostgresBroadcastWork(pool);
  const run = new RunBroadcast(work, new Audiences(new PostgresSegments(pool), {}, cap));
  const caller = { workspaceId: bridge.workspaceId, userId: bridge.memberId } as Parameters<
    ControlBroadcast['move']
  >[0];
  return {
    ...bridge,
    broadcasts,
    work,
    users: new PostgresUsers(pool),
    control: new ControlBroadcast(broadcasts, work, undefined as never, undefined as never),
    caller,

    async create(fields: Partial<NewBroadcast>): Promise<string> {
      const { id } = await broadcasts.create({
        id: uuidv7(),
        workspace_id: bridge.workspaceId,
        created_by: bridge.memberId,
        text: 'Hello',
        draft: false,
        ...fields,
        ...('schedule' in fields && { schedule: wholeSchedule(fields.schedule) }),
      });
      return id;
    },

    /** Runs this many steps of a broadcast, as its jobs would. */
    async step(id: string, times = 1): Promise<void> {
      for (let n = 0; n < times; n += 1) await run.execute(id);
    },

    async get(id: string): Promise<BroadcastRecord> {
      const found = await broadcasts.find(bridge.workspaceId, id);
      if (found === undefined) throw new Error('There is no such broadcast.');
      return found;
    },

    /** The number of its deliveries by status. */
    async deliveriesOf(id: string): Promise<Record<string, number>> {
      const rows = await values<[string, number]>(
        pool,
        `SELECT jsonb_build_array(d.status || CASE WHEN d.held THEN ' held' ELSE '' END, count(*))
         FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE m.broadcast_id = $1
         GROUP BY d.status, d.held ORDER BY 1`,
        [id],
      );
      return Object.fromEntries(rows);
    },

    /** Whether the counts add up and match the recipients' rows, including the reasons for skips. */
    async countsAgree(id: string): Promise<boolean> {
      const [agree] = await values<boolean>(
        pool,
        `SELECT bool_and((b.counts->>k)::int = (SELECT count(*) FROM broadcast_recipients r WHERE r.broadcast_id = b.id
            AND (k = 'total' OR recipient_count_field(r.status) = k)))
           AND (SELECT coalesce(jsonb_object_agg(skip_reason, n), '{}') FROM (
             SELECT r.skip_reason, count(*) AS n FROM broadcast_recipients r WHERE r.broadcast_id = $1 AND r.status = 'skipped'
             GROUP BY 1) x) = (SELECT b.skip_reasons FROM broadcasts b WHERE b.id = $1)
         FROM broadcasts b, jsonb_object_keys(b.counts) k WHERE b.id = $1`,
        [id],
      );
      return agree === true;
    },
  };
}
export type BroadcastStage = Awaited<ReturnType<typeof broadcastStage>>;

/** A schedule as it is stored, with all members. */
export function wholeSchedule(sent: unknown) {
  return completeSchedule(sent as Parameters<typeof completeSchedule>[0]);
}

/** Recipients by address. */
export function addresses(platform: string, count: number, from = 0) {
  return Array.from({ length: count }, (_, n) => ({
    platform,
    address: `${platform}-${from + n}`,
    variables: {},
  }));
}
