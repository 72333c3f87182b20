-- Releases the due messages of a conversation, in the order of their times and then of acceptance. Each
-- caller releases all due messages under the lock of the conversation, so a later message never passes an
-- earlier one, however many workers release. Locks the conversation, then the messages by id.
--
-- Locks: conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed.
-- Returns: string[]
CREATE OR REPLACE FUNCTION release_due_messages(conversation uuid) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  batch_size CONSTANT int := 500;
  due uuid[];
BEGIN
  PERFORM 1 FROM conversations WHERE id = conversation FOR NO KEY UPDATE;
  due := ARRAY(SELECT id FROM messages WHERE conversation_id = conversation
    AND due_at <= now() ORDER BY due_at, created_at, id LIMIT batch_size);
  IF due = '{}' THEN RETURN due; END IF;
  PERFORM 1 FROM messages WHERE id = ANY (due) ORDER BY id FOR UPDATE;
  PERFORM send_scheduled_message(m) FROM (
    SELECT m FROM messages m WHERE m.id = ANY (due) AND m.due_at <= now() ORDER BY m.due_at, m.created_at,
      m.id OFFSET 0) x;
  UPDATE conversations c SET last_message_id = n.id, last_message_at = now() FROM (
    SELECT m.id FROM unnest(due) WITH ORDINALITY AS d (id, n)
      JOIN messages m ON m.id = d.id AND m.deleted_at IS NULL AND m.due_at IS NULL
    ORDER BY d.n DESC LIMIT 1) n WHERE c.id = conversation;
  RETURN due;
END $$;
