-- Wakes the workers of these webhooks.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_webhooks(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload)
  SELECT 'webhook', jsonb_build_object('webhook_id', id) FROM (SELECT DISTINCT unnest(ids) AS id) w
$$;
