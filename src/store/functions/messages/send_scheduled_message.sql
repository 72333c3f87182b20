-- Sends a scheduled message that is due. The caller holds the locks of the conversation and of the message.
--
-- Events: message.updated, message.failed, delivery.updated, delivery.failed.
-- Returns: void
CREATE OR REPLACE FUNCTION send_scheduled_message(m messages) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  route record;
  before json;
  answer json;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = m.conversation_id;
  SELECT * INTO route FROM route_message(c, m.sender_id, m.category, m.note, false, NULL);
  IF has_subscribers(m.workspace_id) THEN before := message_record(m); END IF;
  UPDATE messages SET direction = route.direction, status = route.status, platform = route.platform,
    error = route.error,
    sent_at = CASE WHEN route.status = 'sent' THEN now() END,
    failed_at = CASE WHEN route.status = 'blocked' THEN now() END,
    expires_at = CASE WHEN route.direction = 'outbound' THEN expires_at END, updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  IF route.targets > 0 THEN PERFORM create_deliveries(m, NULL, 0::smallint, route.error); END IF;
  IF before IS NOT NULL THEN
    answer := message_record(m);
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT m.workspace_id, t, m.conversation_id, answer, CASE WHEN t = 'message.updated'
      THEN json_build_object('previous', previous_values(before::jsonb - 'attachments', answer::jsonb)) END
    FROM unnest(CASE WHEN m.status = 'blocked' THEN ARRAY['message.updated', 'message.failed']
      ELSE ARRAY['message.updated'] END) AS t;
  END IF;
END $$;
