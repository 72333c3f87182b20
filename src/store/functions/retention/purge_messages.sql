-- Deletes messages with their dependent rows, except messages that still have work. Returns the number of
-- deleted messages. Replies to a deleted message lose their reference.
--
-- Locks: messages, deliveries, conversations.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_messages(chosen uuid[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  gone uuid[];
  sends uuid[];
  chats uuid[];
BEGIN
  gone := ARRAY(SELECT m.id FROM messages m WHERE m.id = ANY (chosen) AND NOT has_pending_work(m)
    ORDER BY m.id
    FOR UPDATE SKIP LOCKED);
  IF cardinality(gone) = 0 THEN RETURN 0; END IF;
  sends := ARRAY(SELECT d.id FROM deliveries d WHERE d.message_id = ANY (gone) ORDER BY d.id FOR UPDATE);
  UPDATE messages SET reply_to_id = NULL WHERE reply_to_id = ANY (gone);
  UPDATE messages SET thread_id = NULL WHERE thread_id = ANY (gone);
  chats := ARRAY(SELECT c.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
    AND c.last_message_id = m.id
    WHERE m.id = ANY (gone) ORDER BY c.id FOR NO KEY UPDATE OF c);
  UPDATE broadcast_recipients SET message_id = NULL WHERE id = ANY (gone);
  DELETE FROM read_receipts WHERE message_id = ANY (gone);
  DELETE FROM message_versions WHERE message_id = ANY (gone);
  DELETE FROM reactions WHERE message_id = ANY (gone);
  DELETE FROM reaction_copies WHERE message_id = ANY (gone);
  DELETE FROM remote_messages WHERE message_id = ANY (gone);
  DELETE FROM delivery_parts WHERE delivery_id = ANY (sends);
  DELETE FROM attempts WHERE delivery_id = ANY (sends);
  DELETE FROM deliveries WHERE id = ANY (sends);
  DELETE FROM messages WHERE id = ANY (gone);
  PERFORM refresh_last_messages(chats);
  RETURN cardinality(gone);
END $$;
