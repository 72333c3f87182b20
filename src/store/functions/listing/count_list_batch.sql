-- Counts the next batch of messages of a workspace per conversation, and the deliveries and conversations of
-- the same period. Returns whether there was a batch.
--
-- Locks: list_progress.
-- Returns: boolean
CREATE OR REPLACE FUNCTION count_list_batch(workspace uuid, size int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
  ends timestamptz;
BEGIN
  SELECT counted_until INTO since FROM list_progress
  WHERE workspace_id = workspace AND made_at < stable_before()
  FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  ends := batch_end(workspace, 'messages', since, size);
  IF ends IS NULL THEN RETURN false; END IF;
  INSERT INTO message_totals AS t (conversation_id, workspace_id, amount)
  SELECT m.conversation_id, workspace, count(*) FROM (
    SELECT conversation_id FROM messages WHERE workspace_id = workspace AND created_at >= since
      AND created_at < ends
      AND deleted_at IS NULL
    UNION ALL SELECT conversation_id FROM messages WHERE workspace_id = workspace AND created_at >= since
      AND created_at < ends
      AND deleted_at IS NOT NULL) m
  GROUP BY 1 ON CONFLICT (conversation_id) DO UPDATE SET amount = t.amount + excluded.amount;
  UPDATE list_progress SET counted_until = ends,
    deliveries = deliveries + (SELECT count(*) FROM deliveries
      WHERE workspace_id = workspace AND created_at >= since AND created_at < ends),
    conversations = conversations + (SELECT count(*) FROM conversations
      WHERE workspace_id = workspace AND created_at >= since AND created_at < ends AND deleted_at IS NULL)
      + (SELECT count(*) FROM conversations
      WHERE workspace_id = workspace AND created_at >= since AND created_at < ends AND deleted_at IS NOT NULL)
  WHERE workspace_id = workspace;
  RETURN true;
END $$;
