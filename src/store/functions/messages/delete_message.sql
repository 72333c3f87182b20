-- Deletes a message with its text and attachments. Cancels its queued deliveries and removes sent copies
-- from their platforms.
--
-- Locks: conversations, messages, connections, broadcasts.
-- Events: message.deleted, delivery.updated, delivery.failed, delivery.uncertain, message.updated,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: participant: string | null
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_message(workspace uuid, message uuid, actor uuid, participant uuid,
  by_platform boolean)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  m messages;
  woken uuid[];
BEGIN
  -- Locks the conversation before the message, because the last message of the conversation may change.
  PERFORM FROM conversations
  WHERE id = (SELECT conversation_id FROM messages WHERE id = message AND workspace_id = workspace)
  FOR NO KEY UPDATE;
  SELECT * INTO m FROM messages WHERE id = message AND workspace_id = workspace AND deleted_at IS NULL
    AND (participant IS NULL OR EXISTS (SELECT 1 FROM participants p
        WHERE p.conversation_id = messages.conversation_id
      AND p.user_id = participant AND p.left_at IS NULL))
    AND shows_conversation(conversation_id) FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  IF participant IS NOT NULL AND m.sender_id <> participant THEN
    RETURN json_build_object('problem', 'not_own');
  END IF;
  UPDATE messages SET deleted_at = now(), updated_at = now(),
    status = CASE WHEN status IN ('scheduled', 'queued') THEN 'canceled' ELSE status END WHERE id = m.id;
  UPDATE read_receipts SET counted = false WHERE message_id = m.id;
  PERFORM refresh_last_messages(ARRAY[id]) FROM conversations
  WHERE id = m.conversation_id AND last_message_id = m.id;
  PERFORM move_deliveries(coalesce((SELECT jsonb_agg(jsonb_build_object('id', id,
        'from', '["queued"]'::jsonb, 'to', 'canceled'))
    FROM deliveries WHERE message_id = m.id AND status = 'queued'), '[]'));
  WITH unwanted AS (
    -- Includes deliveries that failed after some of their parts were written. A lookup of an uncertain
    -- delivery stays due.
    UPDATE deliveries d SET removal = 'wanted', change_tries = 0,
      next_attempt_at = CASE WHEN status = 'uncertain' THEN next_attempt_at END
    WHERE message_id = m.id AND removal IS NULL
      AND (status IN ('sending', 'sent', 'delivered', 'read', 'uncertain')
      OR EXISTS (SELECT 1 FROM delivery_parts p WHERE p.delivery_id = d.id AND p.external_id IS NOT NULL))
    RETURNING connection_id
  ) SELECT array_agg(connection_id) INTO woken FROM unwanted;
  IF woken IS NOT NULL THEN PERFORM wake_connections(woken); END IF;
  INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES (m.workspace_id, 'message.deleted', m.conversation_id, json_build_object('id', m.id,
    'conversation_id', m.conversation_id, 'deleted_at', wire_time(now()), 'deleted_by', actor));
  IF m.direction = 'inbound' THEN PERFORM delete_text_continuation(m.id, 2); END IF;
  RETURN json_build_object('record', json_build_object('id', m.id));
END $$;
