import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ulidToUUID } from 'ulid';
import { clock } from '../../contract/clock.js';
import type {
  Bookmark,
  EventLog,
  EventPage,
  EventRange,
  Followed,
  InView,
  LoggedEvent,
  Snapshot,
} from '../../core/events/ports.js';
import { without } from '../../core/events/snapshot.js';
import { publicEventId } from '../../core/webhooks/payload.js';
import { enableEventRecordingSql, eventVisibilitySql, isEventVisibleSql } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';

// One statement reads a page and its snapshot, so that they agree. Rows that another cluster wrote (a restored dump) may have
// transaction ids that are still in the future here. No snapshot sees those rows.
const READ = `
  WITH moment AS (SELECT coalesce($4::pg_snapshot, pg_current_snapshot()) AS up_to)
  SELECT moment.up_to::text, e.id, e.workspace_id, e.position, e.xid::text, e.type, e.occurred_at, e.data, e.extra
  FROM moment LEFT JOIN LATERAL (
    SELECT * FROM events
    WHERE workspace_id = ANY ($1::uuid[]) AND type = ANY ($2::text[])
      AND xid >= pg_snapshot_xmin($3::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $3::pg_snapshot)
      AND xid < pg_snapshot_xmax(moment.up_to) AND pg_visible_in_snapshot(xid, moment.up_to)
      AND position > $5 AND occurred_at > now() - interval '24 hours'
    ORDER BY position LIMIT $6
  ) e ON true
  ORDER BY e.position`;

const HEAR = `
  SELECT bool_or(${enableEventRecordingSql('f.workspace_id', 'f.moves')}) AS is_new
  FROM (SELECT * FROM unnest($1::uuid[], $2::boolean[]) AS u (workspace_id, moves) ORDER BY 1, 2) f`;

const OVER = 'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= pg_snapshot_xmax($1::pg_snapshot) AS over';
const outlastMs = 1_000;
const outlastLookMs = 5;

const FIND = `
  SELECT position, xid::text, seen::text FROM events
  WHERE id = $1 AND workspace_id = $2 AND occurred_at > now() - interval '24 hours'
    AND xid < pg_snapshot_xmax(pg_current_snapshot())`;

// Ids begin with their time in milliseconds, so that the index leads to the first kept event.
const OLDEST = `
  SELECT id FROM events
  WHERE id >= $3::uuid AND workspace_id = $1 AND type = ANY ($2::text[])
    AND occurred_at > now() - interval '24 hours'
  ORDER BY id LIMIT 1`;

const REACHING = `
  SELECT v.id || ' ' || e.position AS pair FROM unnest($1::uuid[]) AS v (id), events e
  WHERE e.position = ANY ($2::bigint[]) AND ${isEventVisibleSql('e', 'v.id')}`;

const IN_VIEW = `
  SELECT r.id || ' ' || e.position AS pair, v.view FROM unnest($1::uuid[]) AS r (id), events e,
    LATERAL (SELECT ${eventVisibilitySql('e', 'r.id')} AS view OFFSET 0) v
  WHERE e.position = ANY ($2::bigint[]) AND v.view <> 'hidden'`;

// A little more than events are kept, because clocks differ. The condition on the time decides.
const keptMs = 25 * 60 * 60 * 1000;

const EVENT_ID = /^whk_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

interface EventRow {
  readonly up_to: string;
  /** Null when there is no event in the range. */
  readonly id: string | null;
  readonly workspace_id: string;
  readonly position: string;
  readonly xid: string;
  readonly type: string;
  readonly occurred_at: Date;
  readonly data: Record<string, unknown>;
  readonly extra: Record<string, unknown> | null;
}

/** The event log in PostgreSQL: the table of events, read by the visibility of its rows in snapshots. */
export class PostgresEventLog implements EventLog {
  constructor(private readonly pool: Pool) {}

  async hear(followed: readonly Followed[]): Promise<void> {
    const values = [followed.map(({ workspaceId }) => workspaceId), followed.map(({ moves }) => moves)];
    const { rows } = await this.pool.query<{ is_new: boolean | null }>(HEAR, values);
    if (rows[0]?.is_new) await this.#outlast(await this.now());
  }

  /** Changes that began before there was a subscriber are not recorded. Waits for the short ones to end. */
  async #outlast(snapshot: Snapshot): Promise<void> {
    const endsAt = clock.now() + outlastMs;
    for (;;) {
      const { rows } = await this.pool.query<{ over: boolean }>(OVER, [snapshot]);
      if (rows[0]?.over || clock.now() > endsAt) return;
      await sleep(outlastLookMs);
    }
  }

  async now(): Promise<Snapshot> {
    const { rows } = await this.pool.query<{ now: string }>('SELECT pg_current_snapshot()::text AS now');
    return rows[0]!.now;
  }

  async read(range: EventRange): Promise<EventPage> {
    const { workspaceIds, types, after, upTo = null, afterPosition, limit } = range;
    const { rows } = await this.pool.query<EventRow>({
      name: 'event_log.read',
      text: READ,
      values: [workspaceIds, types, after, upTo, afterPosition, limit],
    });
    const events = rows.filter(({ id }) => id !== null).map(toEvent);
    return { upTo: rows[0]!.up_to, events };
  }

  async find(workspaceId: string, eventId: string): Promise<Bookmark | undefined> {
    if (!EVENT_ID.test(eventId)) return undefined;
    const id = ulidToUUID(eventId.slice('whk_'.length));
    const { rows } = await readIn<{ position: string; xid: string; seen: string }>(this.pool, workspaceId, {
      text: FIND,
      values: [id, workspaceId],
    });
    if (rows[0] === undefined) return undefined;
    const { position, xid, seen } = rows[0];
    const transaction = BigInt(xid);
    // PostgreSQL does not list a transaction as running in its own snapshots.
    return { position: Number(position), transaction, seen: without(seen, transaction) };
  }

  async oldest(workspaceId: string, types: readonly string[]): Promise<string | undefined> {
    const { rows } = await readIn<{ id: string }>(this.pool, workspaceId, {
      text: OLDEST,
      values: [workspaceId, types, idAt(clock.now() - keptMs)],
    });
    return rows[0] && publicEventId(rows[0].id);
  }

  async reaching(viewers: readonly string[], positions: readonly number[]): Promise<ReadonlySet<string>> {
    if (viewers.length === 0 || positions.length === 0) return new Set();
    const { rows } = await this.pool.query<{ pair: string }>(REACHING, [viewers, positions]);
    return new Set(rows.map(({ pair }) => pair));
  }

  async inView(
    readers: readonly string[],
    positions: readonly number[],
  ): Promise<ReadonlyMap<string, InView>> {
    if (readers.length === 0 || positions.length === 0) return new Map();
    const { rows } = await this.pool.query<{ pair: string; view: InView }>(IN_VIEW, [readers, positions]);
    return new Map(rows.map(({ pair, view }) => [pair, view]));
  }
}

/** The smallest id with this time. */
function idAt(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

function toEvent(row: EventRow): LoggedEvent {
  return {
    id: row.id!,
    workspaceId: row.workspace_id,
    position: Number(row.position),
    transaction: BigInt(row.xid),
    type: row.type,
    occurredAt: row.occurred_at,
    data: row.data,
    extra: row.extra,
  };
}
