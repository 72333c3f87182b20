-- Ends account pauses that have expired.
--
-- Locks: connections.
-- Returns: void
CREATE OR REPLACE FUNCTION end_expired_pauses() RETURNS void LANGUAGE sql AS $$
  SELECT move_connection(id, ARRAY['degraded'], 'connected',
    '{"code":"ok","message":"Connected.","fix":null}', NULL, NULL)
  FROM connections WHERE status = 'degraded' AND health->>'code' = 'rate_limited' AND deleted_at IS NULL
    AND (paused_until IS NULL OR paused_until <= now()) LIMIT 100
$$;
