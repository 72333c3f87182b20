-- Deletes a batch of messages that were deleted long enough ago, individually or with their conversation.
--
-- Locks: messages, deliveries, conversations.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_deleted_messages(batch_size int, keep interval) RETURNS int
  LANGUAGE sql AS $$
  SELECT purge_messages(ARRAY(SELECT m.id FROM messages m
    WHERE (m.deleted_at IS NULL) IS FALSE AND m.deleted_at < now() - keep AND NOT has_pending_work(m)
    ORDER BY m.deleted_at LIMIT batch_size FOR UPDATE SKIP LOCKED))
$$;
