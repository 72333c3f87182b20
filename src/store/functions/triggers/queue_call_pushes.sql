-- Adds pushes to the browsers of a member for a call that rings for the member or that the member missed.
-- The push for the missed call replaces the other. Checks whether the member may answer only when the push
-- is sent (push_content).
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION queue_call_pushes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH queued AS (
    INSERT INTO push_deliveries AS d (session_id, conversation_id, workspace_id, call_id, is_missed)
    SELECT s.session_id, c.conversation_id, c.workspace_id, c.id, NEW.status = 'missed'
    FROM calls c JOIN push_subscriptions s ON s.workspace_id = c.workspace_id AND s.user_id = NEW.user_id
    WHERE c.id = NEW.call_id ORDER BY s.session_id
    ON CONFLICT (session_id, tag) DO UPDATE SET is_missed = excluded.is_missed, tries = 0,
      leased_until = NULL, created_at = now()
    RETURNING d.workspace_id
  )
  INSERT INTO outbox (topic, payload)
  SELECT DISTINCT 'timer', jsonb_build_object('push_workspace_id', workspace_id) FROM queued;
  RETURN NULL;
END $$;
