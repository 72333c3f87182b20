-- Ends a broadcast that has no recipients left.
--
-- Events: broadcast.canceled, broadcast.completed.
-- Returns: void

-- Whether a recipient of a broadcast may still be tried on the next platform.
CREATE OR REPLACE FUNCTION awaits_fallback(b broadcasts) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT b.fallback IS NOT NULL AND b.status <> 'canceling'
    AND coalesce((b.schedule->>'expires_at')::timestamptz > now(), true)
    AND EXISTS (SELECT 1 FROM broadcast_recipients r
      WHERE r.broadcast_id = b.id AND r.fallback_at IS NOT NULL)
$$;

CREATE OR REPLACE FUNCTION complete_broadcast(broadcast uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ended record;
BEGIN
  UPDATE broadcasts b SET completed_at = CASE WHEN b.status = 'canceling' THEN b.completed_at ELSE now() END,
    status = CASE WHEN b.status = 'canceling' THEN 'canceled'
      WHEN (b.schedule->>'expires_at')::timestamptz <= now()
        AND (b.counts->>'expired')::bigint > 0 THEN 'expired'
      ELSE 'completed' END, eta = NULL, updated_at = now()
  FROM (SELECT status FROM broadcasts WHERE id = broadcast) o
  WHERE b.id = broadcast AND b.status IN ('sending', 'paused', 'on_hold', 'canceling')
    AND (b.counts->>'pending')::bigint = 0 AND NOT awaits_fallback(b)
  RETURNING b AS broadcast, o.status AS was INTO ended;
  IF FOUND THEN
    INSERT INTO events (workspace_id, type, data, extra) VALUES ((ended.broadcast).workspace_id,
      CASE (ended.broadcast).status WHEN 'canceled' THEN 'broadcast.canceled' ELSE 'broadcast.completed' END,
      broadcast_record(ended.broadcast),
        json_build_object('previous', json_build_object('status', ended.was)));
  END IF;
END $$;
