-- Clears a batch of conversations that were deleted long enough ago and have no more messages. Keeps their
-- rows, because other records refer to their ids.
--
-- Locks: conversations.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_conversations(batch_size int, keep interval) RETURNS int
  LANGUAGE plpgsql AS $$
DECLARE
  chosen uuid[] := ARRAY(SELECT c.id FROM conversations c
    WHERE c.deleted_at < now() - keep AND c.purged_at IS NULL
    AND c.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id
      AND m.deleted_at IS NOT NULL OFFSET 0)
    AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.deleted_at IS NULL OFFSET 0)
    ORDER BY c.deleted_at LIMIT batch_size FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  DELETE FROM participants WHERE conversation_id = ANY (chosen);
  UPDATE links SET external_id = 'purged', external_thread_id = NULL, title = NULL, address = NULL
  WHERE conversation_id = ANY (chosen) AND removed_at IS NOT NULL;
  UPDATE conversations SET title = NULL, team_id = NULL, labels = '{}', metadata = '{}',
    last_message_id = NULL, purged_at = now() WHERE id = ANY (chosen);
  RETURN cardinality(chosen);
END $$;
