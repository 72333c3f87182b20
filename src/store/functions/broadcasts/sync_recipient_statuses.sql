-- Updates recipients from their deliveries. Completes a broadcast without pending recipients.
--
-- Locks: broadcasts.
-- Events: broadcast.canceled, broadcast.completed.
-- Returns: void

-- The status of a recipient whose message has a delivery in this status.
CREATE OR REPLACE FUNCTION recipient_status(status text, attempt_count int) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN status <> 'blocked' THEN status WHEN attempt_count = 0 THEN 'skipped' ELSE 'failed' END
$$;

-- When the next platform is tried for a recipient, given the status on the current platform. Null if no
-- further platform is tried. After a failure the next platform is tried at once. `at` is the scheduled time.
CREATE OR REPLACE FUNCTION fallback_after(broadcast uuid, state text, at timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN state IN ('blocked', 'canceled') THEN NULL
    WHEN state IN ('failed', 'expired') THEN now()
    WHEN array_position(ARRAY['sent', 'delivered', 'read'], state)
      >= array_position(ARRAY['sent', 'delivered', 'read'], b.fallback->>'success_status')
      THEN NULL
    ELSE at END
  FROM broadcasts b WHERE b.id = broadcast
$$;

CREATE OR REPLACE FUNCTION sync_recipient_statuses(delivery_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  shifts recipient_shift[];
  unreached uuid[];
BEGIN
  WITH moved AS (
    SELECT r.id, r.broadcast_id, r.status AS old, r.skip_reason AS former_reason,
      recipient_status(d.status, d.attempt_count) AS new,
      d.status, d.attempt_count, d.error, d.sent_at, d.delivered_at, d.read_at
    FROM deliveries d JOIN broadcast_recipients r ON r.id = d.message_id
    WHERE d.id = ANY (delivery_ids) AND d.superseded_by IS NULL
      AND r.status <> recipient_status(d.status, d.attempt_count)
  ), updated AS (
    UPDATE broadcast_recipients r SET status = m.new, attempts = m.attempt_count, error = m.error,
      skip_reason = CASE WHEN m.new = 'skipped' THEN CASE m.error->>'code' WHEN 'opted_out' THEN 'opted_out'
          ELSE 'blocked' END END,
      sent_at = m.sent_at, delivered_at = m.delivered_at, read_at = m.read_at, updated_at = now(),
      fallback_at = CASE
        WHEN r.fallback_at IS NOT NULL THEN fallback_after(m.broadcast_id, m.status, r.fallback_at) END
    FROM moved m WHERE r.id = m.id
    RETURNING m.broadcast_id, recipient_count_field(m.old) AS was, recipient_count_field(m.new) AS becomes,
      r.skip_reason, m.former_reason, r.fallback_at
  ), counted AS (
    SELECT broadcast_id, was, becomes, skip_reason, former_reason, count(*) AS n,
      bool_or(fallback_at <= now()) AS unreached
    FROM updated GROUP BY broadcast_id, was, becomes, skip_reason, former_reason
  )
  SELECT array_agg(ROW(broadcast_id, was, becomes, skip_reason, n, former_reason)::recipient_shift)
    FILTER (WHERE was <> becomes),
    array_agg(DISTINCT broadcast_id) FILTER (WHERE c.unreached)
  INTO shifts, unreached FROM counted c;
  IF unreached IS NOT NULL THEN PERFORM queue_broadcast(id) FROM unnest(unreached) AS u (id); END IF;
  IF shifts IS NOT NULL THEN PERFORM recount_broadcasts(shifts); END IF;
END $$;
