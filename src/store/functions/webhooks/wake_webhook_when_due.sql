-- Adds a job for the time of the next due delivery, unless an earlier job is pending.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_webhook_when_due(hook uuid, at_least interval) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz;
BEGIN
  SELECT min(greatest(next_attempt_at, leased_until)) INTO due
  FROM webhook_deliveries WHERE webhook_id = hook AND status = 'pending';
  IF due IS NULL THEN RETURN; END IF;
  due := greatest(due, clock_timestamp() + at_least);
  UPDATE webhooks SET wake_at = due
  WHERE id = hook AND status = 'enabled'
    AND (wake_at IS NULL OR wake_at <= clock_timestamp() OR wake_at > due);
  IF FOUND THEN
    INSERT INTO outbox (topic, payload, run_at)
    VALUES ('webhook', jsonb_build_object('webhook_id', hook), due);
  END IF;
END $$;
