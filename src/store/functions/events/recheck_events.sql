-- The next batch of events to check again, at least ten seconds old: newer events are left to their jobs.
-- Returns no row if there is no batch. Any process may call this. The process that has processed a batch
-- confirms it.
--
-- Locks: fan_out_progress.
-- Returns: { upto: string; missed: string[] }[]

-- Events in a range that a webhook may subscribe to and that have no delivery. Most have no subscriber.
CREATE OR REPLACE FUNCTION undelivered_events(after bigint, upto bigint) RETURNS SETOF bigint
  LANGUAGE sql STABLE AS $$
  WITH range AS MATERIALIZED (
    SELECT e.id, e.position, e.workspace_id, e.occurred_at FROM events e
    WHERE e.position > after AND e.position <= upto
  ), delivered AS MATERIALIZED (
    SELECT d.event_id FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
    WHERE w.workspace_id IN (SELECT workspace_id FROM range)
      AND d.created_at >= (SELECT min(occurred_at) FROM range)
  )
  SELECT r.position FROM range r WHERE r.id NOT IN (SELECT event_id FROM delivered) AND EXISTS (
    SELECT FROM webhooks w WHERE w.workspace_id = r.workspace_id AND w.status <> 'disabled'
      AND w.deleted_at IS NULL
      AND coalesce((w.former_subscription->>'since')::timestamptz, w.subscribed_at) <= r.occurred_at)
  ORDER BY r.position
$$;

CREATE OR REPLACE FUNCTION recheck_events(batch_size int) RETURNS TABLE (upto bigint, missed bigint[])
  LANGUAGE plpgsql AS $$
DECLARE
  p fan_out_progress;
BEGIN
  SELECT * INTO p FROM fan_out_progress FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  IF p.next_position <= p.position THEN
    UPDATE fan_out_progress SET next_position = coalesce((SELECT max(position) FROM events), 0),
      sampled_at = clock_timestamp(), next_xid = NULL;
  ELSIF p.next_xid IS NULL THEN
    UPDATE fan_out_progress SET next_xid = pg_snapshot_xmax(pg_current_snapshot())
    WHERE sampled_at < clock_timestamp() - interval '1 s';
  ELSIF p.sampled_at < clock_timestamp() - interval '9 s'
    AND pg_snapshot_xmin(pg_current_snapshot()) >= p.next_xid THEN
    upto := least(p.next_position, p.position + batch_size);
    missed := ARRAY(SELECT undelivered_events(p.position, upto));
    RETURN NEXT;
  END IF;
END $$;
