-- Sends the oldest waiting alert of all workspaces to the staff chat. The message and the mark are one
-- transaction, so that it is sent once. Another process takes the next one. False: there is none.
--
-- Locks: staff_alerts, conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed, message.created.
-- Returns: boolean
CREATE OR REPLACE FUNCTION send_alert() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  a staff_alerts;
  w workspaces;
  answer json;
BEGIN
  SELECT * INTO a FROM staff_alerts WHERE handled_at IS NULL ORDER BY created_at LIMIT 1
    FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT * INTO w FROM workspaces WHERE id = a.workspace_id;
  IF w.staff_conversation_id IS NOT NULL THEN
    answer := accept_message(jsonb_build_object('id', uuid7(), 'workspace_id', w.id,
      'conversation_id', w.staff_conversation_id, 'sender_id', w.staff_chat_by, 'text', btrim(a.text),
      'metadata', jsonb_build_object('alert_event_id', a.event_id)));
  END IF;
  UPDATE staff_alerts SET handled_at = now(), message_id = (answer->'record'->>'id')::uuid
  WHERE event_id = a.event_id;
  RETURN true;
END $$;
