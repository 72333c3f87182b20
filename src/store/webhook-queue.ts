import type { Pool } from 'pg';
import { Gathering } from '../core/gathering.js';
import type { SecretBox } from '../core/ports/secret-box.js';
import type {
  AddedNotices,
  ClaimedDelivery,
  Notice,
  RecordedTry,
  Subscriber,
  TryRecord,
  WebhookQueue,
} from '../core/ports/webhook-queue.js';
import { testEvent } from '../core/webhooks/catalogue.js';
import type { WebhookDeliveryRecord } from '../core/webhooks/record.js';
import { failingLimitMs } from '../core/webhooks/schedule.js';
import { type SealedWebhook, WebhookSecrets } from './webhook-secrets.js';

const maxParallel = 10;
// A try takes a quarter of it at most: whoever holds a lease that ended is dead or stuck.
const leaseMs = 60_000;

const together = { most: 50, atOnce: 4 };

interface AskedClaim {
  readonly webhookId: string;
  readonly room: number;
}

interface TriedDelivery {
  readonly claimed: ClaimedDelivery;
  readonly tried: TryRecord;
}

interface AskedWakeUp {
  readonly webhookId: string;
  readonly atLeastMs: number;
}

const SUBSCRIBERS = `
  SELECT id AS "webhookId", workspace_id AS "workspaceId", events, scopes, status, subscribed_at AS "since" FROM webhooks
  WHERE workspace_id = ANY ($1::uuid[]) AND status <> 'disabled' AND deleted_at IS NULL`;

const ADD = `
  WITH added AS (
    INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, subject, status,
      next_attempt_at)
    SELECT n.workspace_id, n.webhook_id, n.position, n.event_id, n.event, n.subject, n.status,
      CASE WHEN n.status = 'pending' THEN now() END
    FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[])
      AS n (workspace_id, webhook_id, position, event_id, event, subject, status)
    ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING webhook_id, status
  )
  SELECT wake_webhooks(array_agg(webhook_id)) FROM added WHERE status = 'pending'`;

const ENDPOINT = `
  w.id AS webhook_id, w.workspace_id, w.url, w.secret, w.headers, w.api_version,
  CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret`;

const EVENT = `e.id AS event_id, e.position, e.type, e.occurred_at, e.data, e.extra`;

// Events are looked up one by one: a statement is planned once, and perhaps while there were none.
const ADD_CLAIMED = `
  SELECT a.hook, a.id, a.lease_end, 0 AS tries, 0 AS start_in_ms, ${EVENT}, ${ENDPOINT}
  FROM add_webhook_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10 * interval '1 ms') a
  LEFT JOIN LATERAL (SELECT * FROM events x WHERE x.position = a.event_position OFFSET 0) e ON true
  LEFT JOIN webhooks w ON w.id = a.hook
  ORDER BY e.position`;

// What several workers ask for at one moment is one statement. Rows of webhooks are locked in the order of their ids. How many
// there are in JSON is nothing that a plan is made anew for; of arrays it is.
const CLAIM = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM ROWS FROM (jsonb_to_recordset($1) AS (webhook_id uuid, room int)) WITH ORDINALITY AS a (webhook_id, room, n)
    ORDER BY webhook_id, n
  ), claimed AS MATERIALIZED (
    SELECT a.n, a.webhook_id AS hook, c.*
    FROM asked a CROSS JOIN LATERAL claim_webhook_deliveries(a.webhook_id, a.room, $2, $3 * interval '1 ms') c
  )
  SELECT c.n::int, c.id, c.lease_end, c.tries, c.start_in_ms, ${EVENT}, ${ENDPOINT}
  FROM claimed c CROSS JOIN LATERAL (SELECT * FROM events x WHERE x.position = c.event_position OFFSET 0) e
  CROSS JOIN LATERAL (SELECT * FROM webhooks x WHERE x.id = c.hook OFFSET 0) w
  ORDER BY c.start_in_ms, e.position`;

// A result that a power loss forgets is a try more, under the same id; a reminder is found again by the sweeper.
const QUICKLY = `quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

const RECORD = `
  WITH ${QUICKLY}, tried AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::float8[], $6::boolean[], $7::uuid[])
      WITH ORDINALITY AS t (delivery_id, lease, attempt, verdict, retry_in_ms, gone, webhook_id, n)
    ORDER BY webhook_id, n
  )
  SELECT n::int, r.status, r.more
  FROM quickly, tried, record_webhook_try(delivery_id, lease, attempt::jsonb, verdict, retry_in_ms, gone,
    $8 * interval '1 ms') r`;

const RECORD_OF = 'SELECT webhook_delivery_record(d) AS record FROM webhook_deliveries d WHERE id = $1';

const WAKE_WHEN_DUE = `
  WITH ${QUICKLY}, asked AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::float8[]) AS a (webhook_id, at_least_ms) ORDER BY webhook_id
  )
  SELECT wake_webhook_when_due(webhook_id, at_least_ms * interval '1 ms') FROM quickly, asked`;

const RELEASE = 'UPDATE webhook_deliveries SET leased_until = NULL WHERE id = $1 AND leased_until = $2';

// Tests are not tried again: theirs have no next time.
const RELEASE_ALL = `UPDATE webhook_deliveries SET leased_until = NULL
  WHERE status = 'pending' AND leased_until IS NOT NULL AND next_attempt_at IS NOT NULL`;

const FORGOTTEN = `
  WITH forgotten AS (
    SELECT DISTINCT d.webhook_id AS id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.status = 'pending' AND d.next_attempt_at < now() - interval '5 seconds'
      AND (d.leased_until IS NULL OR d.leased_until <= now()) AND w.status = 'enabled' AND w.deleted_at IS NULL
    LIMIT 1000
  ), woken AS (SELECT wake_webhooks(array_agg(id)) FROM forgotten)
  SELECT (SELECT count(*) FROM forgotten)::int AS count FROM woken`;

// It is never due, so that no worker repeats the one of a process that died.
const CLAIM_TEST = `
  WITH w AS (SELECT * FROM webhooks WHERE id = $1),
  e AS (
    INSERT INTO events (workspace_id, type, data)
    SELECT w.workspace_id, $2, json_build_object('webhook_id', w.id, 'message', $3::text) FROM w RETURNING *
  ), d AS (
    INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, leased_until)
    SELECT e.workspace_id, $1, e.position, e.id, e.type, now() + $4 * interval '1 ms' FROM e RETURNING *
  )
  SELECT d.id, d.leased_until::text AS lease_end, d.tries, 0 AS start_in_ms, ${EVENT}, ${ENDPOINT} FROM d, e, w`;

interface ClaimRow extends Omit<SealedWebhook, 'id'> {
  id: string;
  lease_end: string;
  tries: number;
  start_in_ms: number;
  event_id: string;
  position: string;
  type: string;
  occurred_at: Date;
  data: Record<string, unknown>;
  extra: Record<string, unknown> | null;
  webhook_id: string;
  url: string;
  api_version: '1.0' | '2.0';
}

/** Deliveries to webhooks in PostgreSQL, as the workers see them. */
export class PostgresWebhookQueue implements WebhookQueue {
  readonly #secrets: WebhookSecrets;
  readonly #claims = new Gathering((asked: readonly AskedClaim[]) => this.#claimAll(asked), together);
  readonly #records = new Gathering((tried: readonly TriedDelivery[]) => this.#recordAll(tried), together);
  readonly #wakeUps = new Gathering((asked: readonly AskedWakeUp[]) => this.#wakeAll(asked), together);

  constructor(
    private readonly pool: Pool,
    box: SecretBox,
  ) {
    this.#secrets = new WebhookSecrets(box);
  }

  async subscribers(workspaceIds: readonly string[]): Promise<Subscriber[]> {
    const query = { name: 'webhooks.subscribers', text: SUBSCRIBERS, values: [workspaceIds] };
    return (await this.pool.query<Subscriber>(query)).rows;
  }

  async add(notices: readonly Notice[]): Promise<void> {
    if (notices.length === 0) return;
    await this.pool.query({ name: 'webhooks.add', text: ADD, values: valuesOf(notices) });
  }

  async addClaimed(notices: readonly Notice[], room: number): Promise<AddedNotices> {
    if (notices.length === 0) return { claimed: [], waiting: [] };
    const { rows } = await this.pool.query<ClaimRow & { hook: string }>({
      name: 'webhooks.add_claimed',
      text: ADD_CLAIMED,
      values: [...valuesOf(notices), room, maxParallel, leaseMs],
    });
    const claimed = rows.filter(({ id }) => id !== null).map((row) => this.#toClaimed(row));
    return { claimed, waiting: rows.filter(({ id }) => id === null).map(({ hook }) => hook) };
  }

  async wake(webhookIds: readonly string[]): Promise<void> {
    if (webhookIds.length > 0) await this.pool.query('SELECT wake_webhooks($1)', [webhookIds]);
  }

  claim(webhookId: string, room: number): Promise<ClaimedDelivery[]> {
    return this.#claims.add({ webhookId, room });
  }

  record(claimed: ClaimedDelivery, tried: TryRecord): Promise<RecordedTry | undefined> {
    return this.#records.add({ claimed, tried });
  }

  async recordOf(deliveryId: string): Promise<WebhookDeliveryRecord> {
    const { rows } = await this.pool.query<{ record: WebhookDeliveryRecord }>(RECORD_OF, [deliveryId]);
    return rows[0]!.record;
  }

  async release(claimed: ClaimedDelivery): Promise<void> {
    await this.pool.query(RELEASE, [claimed.id, claimed.lease]);
  }

  wakeWhenDue(webhookId: string, atLeastMs: number): Promise<void> {
    return this.#wakeUps.add({ webhookId, atLeastMs });
  }

  async releaseAll(): Promise<void> {
    await this.pool.query(RELEASE_ALL);
  }

  async wakeForgotten(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(FORGOTTEN);
    return rows[0]?.count ?? 0;
  }

  async claimTest(webhookId: string, message: string): Promise<ClaimedDelivery> {
    const values = [webhookId, testEvent, message, leaseMs];
    const { rows } = await this.pool.query<ClaimRow>(CLAIM_TEST, values);
    return this.#toClaimed(rows[0]!);
  }

  async #claimAll(asked: readonly AskedClaim[]): Promise<ClaimedDelivery[][]> {
    const { rows } = await this.pool.query<ClaimRow & { n: number }>({
      name: 'webhooks.claim',
      text: CLAIM,
      values: [
        JSON.stringify(asked.map(({ webhookId, room }) => ({ webhook_id: webhookId, room }))),
        maxParallel,
        leaseMs,
      ],
    });
    const answers = asked.map((): ClaimedDelivery[] => []);
    for (const row of rows) answers[row.n - 1]?.push(this.#toClaimed(row));
    return answers;
  }

  async #recordAll(all: readonly TriedDelivery[]): Promise<(RecordedTry | undefined)[]> {
    const { rows } = await this.pool.query<{ n: number; status: RecordedTry['status']; more: boolean }>({
      name: 'webhooks.record',
      text: RECORD,
      values: [
        all.map(({ claimed }) => claimed.id),
        all.map(({ claimed }) => claimed.lease),
        all.map(({ tried }) => JSON.stringify(tried.attempt)),
        all.map(({ tried }) => tried.verdict.status),
        all.map(({ tried }) => tried.verdict.retryInMs ?? null),
        all.map(({ tried }) => tried.verdict.gone),
        all.map(({ claimed }) => claimed.webhookId),
        failingLimitMs,
      ],
    });
    const records = new Map(rows.map(({ n, status, more }) => [n, { status, isMoreDue: more }]));
    return all.map((_, index) => records.get(index + 1));
  }

  async #wakeAll(asked: readonly AskedWakeUp[]): Promise<undefined[]> {
    await this.pool.query({
      name: 'webhooks.wake_when_due',
      text: WAKE_WHEN_DUE,
      values: [asked.map(({ webhookId }) => webhookId), asked.map(({ atLeastMs }) => atLeastMs)],
    });
    return asked.map(() => undefined);
  }

  #toClaimed(row: ClaimRow): ClaimedDelivery {
    const sealed = { ...row, id: row.webhook_id };
    return {
      id: row.id,
      webhookId: row.webhook_id,
      lease: row.lease_end,
      tries: row.tries,
      startInMs: Math.max(0, row.start_in_ms),
      event: {
        id: row.event_id,
        position: Number(row.position),
        type: row.type,
        occurredAt: row.occurred_at,
        data: row.data,
        extra: row.extra,
      },
      endpoint: {
        url: row.url,
        secrets: this.#secrets.openSecrets(sealed),
        headers: this.#secrets.openHeaders(sealed),
        apiVersion: row.api_version,
      },
    };
  }
}

/** A column of each value, for unnest. */
function valuesOf(notices: readonly Notice[]): unknown[][] {
  return [
    notices.map(({ event }) => event.workspaceId),
    notices.map(({ subscriber }) => subscriber.webhookId),
    notices.map(({ event }) => event.position),
    notices.map(({ event }) => event.id),
    notices.map(({ event }) => event.type),
    notices.map(({ event }) => event.subject),
    notices.map(({ subscriber }) => (subscriber.status === 'enabled' ? 'pending' : 'dead')),
  ];
}
