-- Ends pending deliveries without an attempt in progress. The others end when their attempt is recorded.
--
-- Locks: webhook_deliveries.
-- Arguments: final: 'canceled'
-- Returns: void
CREATE OR REPLACE FUNCTION end_pending_webhook_deliveries(hook uuid, final text) RETURNS void
  LANGUAGE sql AS $$
  UPDATE webhook_deliveries SET status = final, next_attempt_at = NULL, leased_until = NULL,
    updated_at = now()
  WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE webhook_id = hook AND status = 'pending'
      AND (leased_until IS NULL OR leased_until <= clock_timestamp()) FOR UPDATE SKIP LOCKED)
$$;
