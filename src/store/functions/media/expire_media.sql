-- Marks unused files as expired, and returns them until forget_media confirms their deletion.
--
-- Locks: media.
-- Returns: string[]
CREATE OR REPLACE FUNCTION expire_media(batch_size int) RETURNS uuid[] LANGUAGE sql AS $$
  WITH gone AS (
    UPDATE media SET removed_at = now() WHERE id IN (
      SELECT id FROM media WHERE expires_at <= now() ORDER BY expires_at LIMIT batch_size
        FOR UPDATE SKIP LOCKED)
    RETURNING id
  ) SELECT coalesce(array_agg(id), '{}') FROM gone
$$;
