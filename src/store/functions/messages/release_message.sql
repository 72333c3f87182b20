-- Releases a scheduled message when it is due. Returns whether it was still scheduled.
--
-- Locks: conversations, messages.
-- Events: message.updated, message.failed, delivery.updated, delivery.failed.
-- Returns: boolean
CREATE OR REPLACE FUNCTION release_message(message uuid) RETURNS boolean LANGUAGE sql AS $$
  SELECT coalesce((SELECT message = ANY (release_due_messages(m.conversation_id)) FROM messages m
    WHERE m.id = message AND m.due_at <= now()), false)
$$;
