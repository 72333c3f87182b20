-- Helpers for webhooks.

-- Disables an enabled webhook and writes an event for the other webhooks. Updates the webhook, then its
-- pending deliveries.
CREATE OR REPLACE FUNCTION auto_disable_webhook(hook uuid, reason text, message text) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid;
BEGIN
  UPDATE webhooks SET status = 'auto_disabled', disabled_reason = reason, updated_at = now()
  WHERE id = hook AND status = 'enabled' AND deleted_at IS NULL RETURNING workspace_id INTO workspace;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM end_pending_webhook_deliveries(hook, 'dead');
  INSERT INTO events (workspace_id, type, data)
  VALUES (workspace, 'webhook.disabled', json_build_object('webhook_id', hook, 'message', message));
END $$;
