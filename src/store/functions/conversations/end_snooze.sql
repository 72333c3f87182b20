-- Opens a snoozed conversation at the end of its snooze. Returns whether it was still snoozed.
--
-- Locks: conversations.
-- Events: conversation.updated, conversation.status_changed, conversation.assigned.
-- Returns: boolean
CREATE OR REPLACE FUNCTION end_snooze(conversation uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c conversations;
BEGIN
  SELECT * INTO c FROM conversations WHERE id = conversation AND status = 'snoozed' AND snoozed_until <= now()
    AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM store_conversation(c, change_conversation_status(c, 'open'));
  RETURN true;
END $$;
