-- Releases a change of a broadcast, so that another worker can continue it.
--
-- Returns: void
CREATE OR REPLACE FUNCTION release_broadcast_change(change uuid) RETURNS void LANGUAGE sql AS $$
  SELECT queue_broadcast_change(id, interval '0') FROM broadcast_changes
  WHERE id = change AND status IN ('running', 'stopping')
$$;
