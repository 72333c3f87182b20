-- Disables the webhooks that a revoked key registered, unless the revocation keeps them. Each webhook is
-- updated before its pending deliveries, in the order of the ids.
--
-- Locks: webhook_deliveries.
-- Events: webhook.disabled.
-- Returns: trigger
CREATE OR REPLACE FUNCTION end_webhooks_of_revoked_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM auto_disable_webhook(h.id, 'key_revoked', 'The API key that registered this webhook was revoked.')
  FROM (SELECT id FROM webhooks WHERE created_by_key = NEW.id AND status = 'enabled'
    AND deleted_at IS NULL ORDER BY id) h;
  RETURN NULL;
END $$;
