-- Deletes up to `batch_size` recipients of changes that ended more than 31 days ago. The counts are kept.
-- Returns how many were deleted.
--
-- Locks: broadcast_changes.
-- Returns: number
CREATE OR REPLACE FUNCTION purge_broadcast_changes(batch_size int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  gone int;
  old uuid[] := ARRAY(SELECT id FROM broadcast_changes
    WHERE has_rows AND ended_at < now() - interval '31 days'
    ORDER BY ended_at LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  DELETE FROM broadcast_change_recipients WHERE (change_id, recipient_id) IN (
    SELECT change_id, recipient_id FROM broadcast_change_recipients
    WHERE change_id = ANY (old) LIMIT batch_size);
  GET DIAGNOSTICS gone = ROW_COUNT;
  UPDATE broadcast_changes c SET has_rows = false WHERE c.id = ANY (old)
    AND NOT EXISTS (SELECT FROM broadcast_change_recipients x WHERE x.change_id = c.id);
  RETURN gone;
END $$;
