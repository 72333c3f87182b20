-- Deletes a conversation with its messages and links. Cancels its unsent deliveries.
--
-- Locks: conversations, links, messages, connections, broadcasts.
-- Events: conversation.deleted, delivery.updated, delivery.failed, delivery.uncertain, message.updated,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: input: ConversationInput & { viewer_id: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION delete_conversation(input jsonb) RETURNS json LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
DECLARE
  c conversations := lock_conversation(input);
  unsent uuid[];
BEGIN
  PERFORM refuse_live_call(c.id);
  -- Links are locked before messages, so that a concurrent settlement of a send can't deadlock.
  PERFORM 1 FROM links WHERE conversation_id = c.id AND removed_at IS NULL ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM messages WHERE conversation_id = c.id AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE;
  -- Finds them through the messages, because no index has the queued deliveries of a conversation.
  unsent := ARRAY(SELECT d.id FROM messages m JOIN deliveries d ON d.message_id = m.id
    WHERE m.conversation_id = c.id AND m.deleted_at IS NULL AND d.status = 'queued');
  UPDATE messages SET deleted_at = now(), updated_at = now(),
    status = CASE WHEN status IN ('scheduled', 'queued') THEN 'canceled' ELSE status END
  WHERE conversation_id = c.id AND deleted_at IS NULL;
  PERFORM cancel_deliveries(unsent);
  UPDATE links SET removed_at = now(), updated_at = now() WHERE conversation_id = c.id AND removed_at IS NULL;
  DELETE FROM message_drafts WHERE conversation_id = c.id;
  DELETE FROM proposals WHERE conversation_id = c.id;
  UPDATE conversations SET deleted_at = now(), updated_at = now() WHERE id = c.id;
  INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES (c.workspace_id, 'conversation.deleted', c.id, json_build_object('id', c.id, 'number', c.number,
    'deleted_at', wire_time(now()), 'deleted_by', input->>'viewer_id'));
  RETURN json_build_object('record', json_build_object('id', c.id));
END $$;
