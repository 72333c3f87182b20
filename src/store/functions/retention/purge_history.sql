-- Deletes a batch of old webhook deliveries, response excerpts and events. Deliveries are kept for 30 days
-- and excerpts for 7 days. Events are kept for 45 days, because a delivery that is retried on its last day
-- may need its event for ten more days. The key of a fault is kept as long as its event. Returns the largest
-- number of deleted rows of one kind.
--
-- Locks: webhook_deliveries, webhook_answers, events, service_faults.
-- Returns: number

-- Ends webhook tests whose process died. Only the process that starts a test attempts it.
CREATE OR REPLACE FUNCTION end_lost_webhook_tests() RETURNS void LANGUAGE sql AS $$
  UPDATE webhook_deliveries SET status = 'dead', leased_until = NULL, updated_at = now()
  WHERE status = 'pending' AND next_attempt_at IS NULL AND leased_until <= now();
$$;

CREATE OR REPLACE FUNCTION purge_history(batch_size int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  deliveries_purged int;
  answers_purged int;
  events_purged int;
  faults_purged int;
BEGIN
  PERFORM end_lost_webhook_tests();
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE id < uuid7_at(now() - interval '30 days') AND status <> 'pending'
    ORDER BY id LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS deliveries_purged = ROW_COUNT;
  DELETE FROM webhook_answers WHERE (workspace_id, delivery_id, at) IN (
    SELECT workspace_id, delivery_id, at FROM webhook_answers WHERE at < now() - interval '7 days'
    ORDER BY at LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS answers_purged = ROW_COUNT;
  DELETE FROM events WHERE position IN (
    SELECT position FROM events WHERE occurred_at < now() - interval '45 days' AND position <= (
      SELECT max(position) FROM (SELECT position, occurred_at FROM events
        ORDER BY position LIMIT batch_size) oldest
      WHERE occurred_at < now() - interval '45 days')
    ORDER BY position LIMIT batch_size FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS events_purged = ROW_COUNT;
  DELETE FROM service_faults WHERE fault IN (
    SELECT fault FROM service_faults WHERE reported_at < now() - interval '45 days' LIMIT batch_size
      FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS faults_purged = ROW_COUNT;
  DELETE FROM open_streams WHERE expires_at < now();
  RETURN greatest(deliveries_purged, answers_purged, events_purged, faults_purged);
END $$;
