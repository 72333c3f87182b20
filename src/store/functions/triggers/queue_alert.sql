-- Adds the alert of an event if its workspace has a staff chat. Limits alerts of the same kind to one per
-- connection or webhook in 15 minutes, and all alerts to 30 per workspace in an hour.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION queue_alert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A fault of the installation is not about a record, so the workspace is the subject.
  subject uuid := coalesce(NEW.data->>'webhook_id', NEW.data->>'id', NEW.workspace_id::text)::uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM workspaces WHERE id = NEW.workspace_id AND staff_conversation_id IS NOT NULL)
    OR EXISTS (SELECT FROM staff_alerts WHERE workspace_id = NEW.workspace_id AND kind = NEW.type
      AND subject_id = subject AND created_at > now() - interval '15 minutes')
    OR (SELECT count(*) FROM staff_alerts WHERE workspace_id = NEW.workspace_id
      AND created_at > now() - interval '1 hour') >= 30 THEN RETURN NULL; END IF;
  INSERT INTO staff_alerts (event_id, workspace_id, kind, subject_id, text)
  VALUES (NEW.id, NEW.workspace_id, NEW.type, subject, CASE NEW.type
    WHEN 'platform.error' THEN format('Trunkline: the connection "%s" (%s) is in error. %s %s',
      left(NEW.data->>'name', 100), NEW.data->>'platform', left(NEW.data->'health'->>'message', 500),
      left(NEW.data->'health'->>'fix', 500))
    WHEN 'webhook.disabled' THEN format('Trunkline: the webhook %s was disabled. %s', subject,
      left(NEW.data->>'message', 500))
    ELSE format('Trunkline: %s', left(NEW.data->>'message', 500)) END);
  RETURN NULL;
END $$;
