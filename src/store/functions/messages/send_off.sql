-- Sends a scheduled message that is due. The caller holds the locks of the conversation and of the message.
--
-- Events: message.updated, message.failed, delivery.updated, delivery.failed.
-- Returns: void
CREATE OR REPLACE FUNCTION send_off(m messages) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
  fate record;
  before json;
  answer json;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = m.conversation_id;
  SELECT * INTO fate FROM message_fate(c, m.sender_id, m.category, m.note, false, NULL);
  IF has_subscribers(m.workspace_id) THEN before := message_record(m); END IF;
  UPDATE messages SET direction = fate.direction, status = fate.status, platform = fate.platform,
    error = fate.error,
    sent_at = CASE WHEN fate.status = 'sent' THEN now() END,
    failed_at = CASE WHEN fate.status = 'blocked' THEN now() END,
    expires_at = CASE WHEN fate.direction = 'outbound' THEN expires_at END, updated_at = now()
  WHERE id = m.id RETURNING * INTO m;
  IF fate.targets > 0 THEN PERFORM create_deliveries(m, NULL, 0::smallint, fate.error); END IF;
  IF before IS NOT NULL THEN
    answer := message_record(m);
    INSERT INTO events (workspace_id, type, conversation_id, data, extra)
    SELECT m.workspace_id, t, m.conversation_id, answer, CASE WHEN t = 'message.updated'
      THEN json_build_object('previous', former_values(before::jsonb - 'attachments', answer::jsonb)) END
    FROM unnest(CASE WHEN m.status = 'blocked' THEN ARRAY['message.updated', 'message.failed']
      ELSE ARRAY['message.updated'] END) AS t;
  END IF;
END $$;
