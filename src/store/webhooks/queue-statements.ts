import {
  addWebhookDeliveriesSql,
  claimWebhookDeliveriesSql,
  recordWebhookAttemptSql,
  wakeWebhooksSql,
  wakeWebhookWhenDueSql,
  webhookDeliveryRecordSql,
} from '../calls.gen.js';

export const SUBSCRIBERS = `
  SELECT id AS "webhookId", workspace_id AS "workspaceId", events, scopes, subscribed_at AS "since",
    former_subscription AS former FROM webhooks
  WHERE workspace_id = ANY ($1::uuid[]) AND status <> 'disabled' AND deleted_at IS NULL`;

// Locks the webhooks, so that none is disabled concurrently, which would end its pending deliveries.
export const ADD = `
  WITH takers AS MATERIALIZED (
    SELECT w.id, w.status = 'enabled' AS is_enabled FROM webhooks w
    WHERE w.id = ANY ($2::uuid[]) AND w.status <> 'disabled' AND w.deleted_at IS NULL ORDER BY w.id FOR NO KEY UPDATE
  ), added AS (
    INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, subject, status,
      next_attempt_at)
    SELECT n.workspace_id, n.webhook_id, n.position, n.event_id, n.event, n.subject,
      CASE WHEN t.is_enabled THEN 'pending' ELSE 'dead' END, CASE WHEN t.is_enabled THEN now() END
    FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::text[])
      AS n (workspace_id, webhook_id, position, event_id, event, subject)
    JOIN takers t ON t.id = n.webhook_id
    ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING webhook_id, status
  )
  SELECT ${wakeWebhooksSql('array_agg(webhook_id)')} FROM added WHERE status = 'pending'`;

const ENDPOINT = `
  w.id AS webhook_id, w.workspace_id, w.url, w.secret, w.headers, w.api_version,
  CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret`;

const EVENT = `e.id AS event_id, e.position, e.type, e.occurred_at, e.data, e.extra`;

// Events are looked up one by one, because the statement is planned once, possibly while there were no events.
export const ADD_CLAIMED = `
  SELECT a.hook, a.id, a.lease_end, 0 AS tries, 0 AS start_in_ms, ${EVENT}, ${ENDPOINT}
  FROM ${addWebhookDeliveriesSql('$1', '$2', '$3', '$4', '$5', '$6', '$7', '$8', "$9 * interval '1 ms'")} a
  LEFT JOIN LATERAL (SELECT * FROM events x WHERE x.position = a.event_position OFFSET 0) e ON true
  LEFT JOIN webhooks w ON w.id = a.hook
  ORDER BY e.position`;

// One statement serves the claims of several workers. Rows of webhooks are locked in the order of their ids. The claims are JSON,
// because a different number of them then causes no new plan. Arrays would.
export const CLAIM = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM ROWS FROM (jsonb_to_recordset($1) AS (webhook_id uuid, room int)) WITH ORDINALITY AS a (webhook_id, room, n)
    ORDER BY webhook_id, n
  ), claimed AS MATERIALIZED (
    SELECT a.n, a.webhook_id AS hook, c.*
    FROM asked a CROSS JOIN LATERAL ${claimWebhookDeliveriesSql('a.webhook_id', 'a.room', '$2', "$3 * interval '1 ms'")} c
  )
  SELECT c.n::int, c.id, c.lease_end, c.tries, c.start_in_ms, ${EVENT}, ${ENDPOINT}
  FROM claimed c CROSS JOIN LATERAL (SELECT * FROM events x WHERE x.position = c.event_position OFFSET 0) e
  CROSS JOIN LATERAL (SELECT * FROM webhooks x WHERE x.id = c.hook OFFSET 0) w
  ORDER BY c.start_in_ms, e.position`;

// A power loss may lose a result, which causes one more try under the same id. The sweeper finds a lost reminder.
const QUICKLY = `quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

const TRY = recordWebhookAttemptSql(
  'delivery_id',
  'lease',
  'attempt::jsonb',
  'verdict',
  'retry_in_ms',
  'gone',
  "$8 * interval '1 ms'",
);

export const RECORD = `
  WITH ${QUICKLY}, tried AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::float8[], $6::boolean[], $7::uuid[])
      WITH ORDINALITY AS t (delivery_id, lease, attempt, verdict, retry_in_ms, gone, webhook_id, n)
    ORDER BY webhook_id, n
  )
  SELECT n::int, r.status, r.more
  FROM quickly, tried, ${TRY} r`;

export const RECORD_OF = `SELECT ${webhookDeliveryRecordSql('d')} AS record FROM webhook_deliveries d WHERE id = $1`;

export const WAKE_WHEN_DUE = `
  WITH ${QUICKLY}, asked AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::float8[]) AS a (webhook_id, at_least_ms) ORDER BY webhook_id
  )
  SELECT ${wakeWebhookWhenDueSql('webhook_id', "at_least_ms * interval '1 ms'")} FROM quickly, asked`;

export const RELEASE =
  'UPDATE webhook_deliveries SET leased_until = NULL WHERE id = $1 AND leased_until = $2';

// Tests are not retried, so they have no next attempt.
export const RELEASE_ALL = `UPDATE webhook_deliveries SET leased_until = NULL
  WHERE status = 'pending' AND leased_until IS NOT NULL AND next_attempt_at IS NOT NULL`;

export const FORGOTTEN = `
  WITH forgotten AS (
    SELECT DISTINCT d.webhook_id AS id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.status = 'pending' AND d.next_attempt_at < now() - interval '5 seconds'
      AND (d.leased_until IS NULL OR d.leased_until <= now()) AND w.status = 'enabled' AND w.deleted_at IS NULL
    LIMIT 1000
  ), woken AS (SELECT ${wakeWebhooksSql('array_agg(id)')} FROM forgotten)
  SELECT (SELECT count(*) FROM forgotten)::int AS count FROM woken`;

// A test is never due, so that no worker repeats it after its process died.
export const CLAIM_TEST = `
  WITH w AS (SELECT * FROM webhooks WHERE id = $1),
  e AS (
    INSERT INTO events (workspace_id, type, data)
    SELECT w.workspace_id, $2, json_build_object('webhook_id', w.id, 'message', $3::text) FROM w RETURNING *
  ), d AS (
    INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_position, event_id, event, leased_until)
    SELECT e.workspace_id, $1, e.position, e.id, e.type, now() + $4 * interval '1 ms' FROM e RETURNING *
  )
  SELECT d.id, d.leased_until::text AS lease_end, d.tries, 0 AS start_in_ms, ${EVENT}, ${ENDPOINT} FROM d, e, w`;
