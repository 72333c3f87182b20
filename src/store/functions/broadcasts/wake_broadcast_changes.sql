-- Adds jobs for changes of broadcasts whose job was lost or whose worker died.
--
-- Returns: void
CREATE OR REPLACE FUNCTION wake_broadcast_changes() RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast_change(id, interval '0') FROM (SELECT id FROM broadcast_changes
    WHERE status IN ('running', 'stopping') AND look_at <= now() - interval '5 s' ORDER BY look_at LIMIT 100
    FOR NO KEY UPDATE SKIP LOCKED) due
$$;
