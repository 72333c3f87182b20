-- Releases scheduled messages that were not released when they were due, the oldest first.
--
-- Locks: conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed.
-- Returns: void
CREATE OR REPLACE FUNCTION release_overdue_messages() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  chat uuid;
BEGIN
  FOR chat IN SELECT DISTINCT conversation_id FROM (
    SELECT conversation_id FROM messages WHERE due_at <= now() ORDER BY due_at LIMIT 500) m
    ORDER BY conversation_id
  LOOP
    PERFORM release_due_messages(chat);
  END LOOP;
END $$;
