-- Updates the status and error of messages from their deliveries. The caller holds the locks of the messages.
--
-- Events: message.updated, message.sent, message.delivered, message.read, message.failed.
-- Returns: void

-- The status of an outbound message: that of its least advanced delivery. Ignores superseded deliveries, and
-- canceled ones unless there are no others.
CREATE OR REPLACE FUNCTION derive_message_status(message uuid) RETURNS text LANGUAGE sql STABLE AS $$
  WITH d AS (
    SELECT status FROM deliveries WHERE message_id = message AND superseded_by IS NULL
      AND (status <> 'canceled' OR NOT EXISTS (
        SELECT 1 FROM deliveries o WHERE o.message_id = message AND o.superseded_by IS NULL
          AND o.status <> 'canceled'))
  )
  SELECT CASE
    WHEN bool_and(status = 'queued') THEN 'queued'
    WHEN bool_or(status IN ('queued', 'sending')) THEN 'sending'
    ELSE (SELECT s FROM unnest(ARRAY['uncertain', 'failed', 'expired', 'blocked', 'canceled', 'sent',
          'delivered', 'read'])
            WITH ORDINALITY AS o (s, n) WHERE s IN (SELECT status FROM d) ORDER BY n LIMIT 1)
  END FROM d
$$;

CREATE OR REPLACE FUNCTION sync_message_statuses(message_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
  olds text[];
  workspaces uuid[];
BEGIN
  WITH derived AS MATERIALIZED (
    SELECT m.id, m.status AS old,
      CASE WHEN x.total = 1 AND x.live = 1 THEN x.only ELSE derive_message_status(m.id) END AS new,
      CASE WHEN x.has_errors THEN first_error(m.id) END AS error
    FROM messages m CROSS JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE d.superseded_by IS NULL) AS live,
        min(d.status) AS only,
        bool_or(d.status IN ('failed', 'expired', 'blocked')) AS has_errors
      FROM deliveries d WHERE d.message_id = m.id) x
    WHERE m.id = ANY (message_ids) AND m.direction = 'outbound' AND m.deleted_at IS NULL
      AND m.status <> 'canceled'
  ), updated AS (
    UPDATE messages m SET status = v.new, error = v.error, updated_at = now(),
      sent_at = CASE WHEN v.new IN ('sent', 'delivered', 'read') THEN coalesce(m.sent_at, now())
        WHEN v.new <> 'queued' THEN m.sent_at END,
      delivered_at = CASE WHEN v.new IN ('delivered', 'read') THEN coalesce(m.delivered_at, now())
        WHEN v.new <> 'queued' THEN m.delivered_at END,
      failed_at = CASE WHEN v.new IN ('failed', 'expired', 'blocked')
        THEN CASE WHEN v.new = v.old THEN m.failed_at ELSE now() END END
    FROM derived v WHERE m.id = v.id AND v.new IS NOT NULL
      AND (v.new <> v.old OR v.error IS DISTINCT FROM m.error)
    RETURNING m.id, m.workspace_id, v.old, v.new
  )
  SELECT array_agg(id), array_agg(old), array_agg(DISTINCT workspace_id) INTO moved, olds, workspaces
  FROM updated WHERE new <> old;
  IF NOT has_any_subscriber(workspaces) THEN RETURN; END IF;
  INSERT INTO events (workspace_id, type, conversation_id, data, extra)
  SELECT m.workspace_id, CASE m.status WHEN 'canceled' THEN 'message.updated' WHEN 'sent' THEN 'message.sent'
      WHEN 'delivered' THEN 'message.delivered' WHEN 'read' THEN 'message.read' ELSE 'message.failed' END,
    m.conversation_id, render_message(m, s.read_by, s.thread_count, s.reactions, s.deliveries),
    json_build_object('previous', json_build_object('status', u.old))
  FROM unnest(moved, olds) AS u (id, old) JOIN messages m ON m.id = u.id
    CROSS JOIN LATERAL message_related_data(m.id, m.thread_id) s
  WHERE m.status IN ('sent', 'delivered', 'read', 'failed', 'expired', 'blocked', 'canceled')
    AND has_subscribers(m.workspace_id);
END $$;
