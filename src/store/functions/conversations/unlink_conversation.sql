-- Removes a link from a conversation: input of lock_conversation with "link_id".
--
-- Locks: conversations, links, messages, connections, broadcasts.
-- Events: conversation.link_removed, delivery.updated, delivery.failed, delivery.uncertain, message.updated,
--   message.sent, message.delivered, message.read, message.failed, broadcast.canceled, broadcast.completed.
-- Arguments: input: ConversationInput & { link_id: string }
-- Returns: { record: { id: string } } | Refusal
CREATE OR REPLACE FUNCTION unlink_conversation(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c conversations := lock_conversation(input);
  l links;
BEGIN
  SELECT * INTO l FROM links WHERE id = (input->>'link_id')::uuid AND conversation_id = c.id
    AND removed_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  PERFORM remove_link(c, l);
  RETURN json_build_object('record', json_build_object('id', l.id));
END $$;
