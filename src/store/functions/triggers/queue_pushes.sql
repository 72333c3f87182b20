-- Adds pushes of messages from contacts to the browsers of the assignee, or of all members if there is no
-- assignee. A browser has one push for each conversation: a newer message replaces one that is not sent yet.
-- The content of the push, and whether the member may still see it, are determined when it is sent
-- (push_content).
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION queue_pushes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM push_subscriptions WHERE workspace_id IN (
    SELECT workspace_id FROM added WHERE direction = 'inbound')) THEN RETURN NULL; END IF;
  WITH newest AS (
    SELECT DISTINCT ON (conversation_id) conversation_id, workspace_id, id FROM added
    WHERE direction = 'inbound' ORDER BY conversation_id, created_at DESC, id DESC
  ), queued AS (
    INSERT INTO push_deliveries AS d (session_id, conversation_id, workspace_id, message_id)
    SELECT s.session_id, m.conversation_id, m.workspace_id, m.id
    FROM newest m JOIN conversations c ON c.id = m.conversation_id
    JOIN push_subscriptions s ON s.workspace_id = m.workspace_id
    LEFT JOIN notification_choices n ON n.user_id = s.user_id
    WHERE should_push(c.assignee_id, s.user_id, n) AND sees_conversation(s.user_id, c.id)
    ORDER BY m.conversation_id, s.session_id
    ON CONFLICT (session_id, tag) DO UPDATE SET message_id = excluded.message_id, tries = 0,
      leased_until = NULL, created_at = now()
    RETURNING d.workspace_id
  )
  INSERT INTO outbox (topic, payload)
  SELECT DISTINCT 'timer', jsonb_build_object('push_workspace_id', workspace_id) FROM queued;
  RETURN NULL;
END $$;
