-- Updates the counts of broadcasts in the order of their ids, so that two settlements can't deadlock, and
-- completes those without remaining recipients.
--
-- Locks: broadcasts.
-- Events: broadcast.canceled, broadcast.completed.
-- Returns: void
CREATE OR REPLACE FUNCTION recount_broadcasts(shifts recipient_shift[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  through uuid[];
BEGIN
  WITH counted AS (
    UPDATE broadcasts b SET updated_at = now(), skip_reasons = jsonb_strip_nulls(b.skip_reasons || coalesce((
      SELECT jsonb_object_agg(reason, nullif(n + coalesce((b.skip_reasons->>reason)::bigint, 0), 0)) FROM (
        SELECT e.reason, sum(e.n) AS n FROM unnest(shifts) s
        CROSS JOIN LATERAL (VALUES (s.skip_reason, s.n), (s.former_reason, -s.n)) e (reason, n)
        WHERE s.broadcast_id = b.id AND e.reason IS NOT NULL GROUP BY 1) x), '{}')), counts = b.counts || (
      SELECT jsonb_object_agg(c.key, (b.counts->>c.key)::bigint + c.change) FROM (
        SELECT k AS key, sum(CASE k WHEN s.becomes THEN s.n ELSE 0 END - CASE k WHEN s.was THEN s.n
            ELSE 0 END) AS change
        FROM unnest(shifts) s CROSS JOIN LATERAL unnest(ARRAY[s.was, s.becomes]) k
          WHERE s.broadcast_id = b.id GROUP BY k) c)
    WHERE b.id IN (SELECT o.id FROM broadcasts o
      WHERE o.id IN (SELECT broadcast_id FROM unnest(shifts)) ORDER BY o.id FOR NO KEY UPDATE)
    RETURNING b.id, (b.counts->>'pending')::bigint AS pending
  )
  SELECT array_agg(id) INTO through FROM counted WHERE pending = 0;
  IF through IS NOT NULL THEN PERFORM complete_broadcast(id) FROM unnest(through) AS t (id); END IF;
END $$;
