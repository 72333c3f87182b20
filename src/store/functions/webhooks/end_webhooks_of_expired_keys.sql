-- Disables the webhooks of expired keys, once for each key. Locks the keys in the order of
-- their ids. Each webhook is updated before its pending deliveries, in the order of the ids.
--
-- Locks: api_keys, webhook_deliveries.
-- Events: webhook.disabled.
-- Returns: void
CREATE OR REPLACE FUNCTION end_webhooks_of_expired_keys() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  expired uuid[];
BEGIN
  WITH due AS (
    SELECT id FROM api_keys WHERE expires_at <= now() AND NOT expiry_handled ORDER BY id LIMIT 100
    FOR UPDATE SKIP LOCKED
  ), handled AS (
    UPDATE api_keys SET expiry_handled = true WHERE id IN (SELECT id FROM due) RETURNING id
  ) SELECT array_agg(id) INTO expired FROM handled;
  IF expired IS NULL THEN RETURN; END IF;
  PERFORM auto_disable_webhook(h.id, 'key_expired', 'The API key that registered this webhook has expired.')
  FROM (SELECT id FROM webhooks WHERE created_by_key = ANY (expired) AND status = 'enabled'
    AND deleted_at IS NULL ORDER BY id) h;
END $$;
