-- Deletes a batch of messages that are older than the retention period of their workspace. Returns the
-- number of deleted messages.
--
-- Locks: messages, deliveries, conversations.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_workspace_messages(batch_size int) RETURNS int LANGUAGE sql AS $$
  SELECT purge_messages(ARRAY(
    SELECT m.id FROM workspaces w CROSS JOIN LATERAL (
      SELECT o.id FROM messages o
      WHERE o.workspace_id = w.id AND o.deleted_at IS NULL AND NOT has_pending_work(o)
        AND o.created_at < now() - make_interval(days => w.retain_messages_days)
      ORDER BY o.created_at, o.id LIMIT batch_size) m
    WHERE w.retain_messages_days IS NOT NULL LIMIT batch_size))
$$;
