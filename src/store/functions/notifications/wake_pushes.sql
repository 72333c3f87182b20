-- Adds jobs for due pushes whose job was lost or whose worker died.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_pushes() RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (topic, payload)
  SELECT 'timer', jsonb_build_object('push_workspace_id', workspace_id) FROM (
    SELECT DISTINCT workspace_id FROM push_deliveries WHERE due_at <= now() - interval '5 s'
      AND (leased_until IS NULL OR leased_until <= now()) LIMIT 100) due
$$;
