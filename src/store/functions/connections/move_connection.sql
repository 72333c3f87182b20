-- Moves a connection to another status and writes the event. Changes nothing if its status is not in `froms`.
-- The same status with other health is stored without an event. Reports of an older generation are ignored.
--
-- Locks: connections.
-- Arguments: froms: ConnectionStatus[]; target: ConnectionStatus | null; new_health: HealthState; who: {
--   external_id: string; handle: string | null; name: string | null } | null; problem: DeliveryErrorRecord |
--   null; of_generation: number
-- Returns: boolean
CREATE OR REPLACE FUNCTION move_connection(connection uuid, froms text[], target text, new_health jsonb,
  who jsonb, problem jsonb,
  of_generation int DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c connections;
  old text;
  event text;
BEGIN
  SELECT * INTO c FROM connections WHERE id = connection AND deleted_at IS NULL AND status = ANY (froms)
    AND generation = coalesce(of_generation, generation) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  old := c.status;
  target := coalesce(target, old);
  IF old = target AND c.health->>'code' = new_health->>'code'
    AND c.health->>'message' = new_health->>'message'
    AND c.health->>'fix' IS NOT DISTINCT FROM new_health->>'fix'
    AND (who IS NULL OR c.identity = who) THEN RETURN true; END IF;
  UPDATE connections SET status = target, updated_at = now(),
    health = new_health || jsonb_build_object('since', CASE WHEN c.health->>'code' = new_health->>'code'
      THEN c.health->>'since' ELSE wire_time(now()) END, 'gaps', coalesce(c.health->'gaps', '[]')),
    identity = coalesce(who, identity),
    last_error = CASE WHEN problem IS NOT NULL THEN problem WHEN target = 'connected' THEN NULL
      ELSE last_error END
  WHERE id = c.id RETURNING * INTO c;
  event := CASE WHEN old = target THEN NULL
    WHEN target = 'connected' THEN 'platform.connected'
    WHEN target IN ('degraded', 'disabled') THEN 'platform.disconnected'
    WHEN target = 'error' THEN 'platform.error' END;
  IF event IS NOT NULL THEN
    INSERT INTO events (workspace_id, type, data, extra) VALUES (c.workspace_id, event, connection_record(c),
      json_build_object('previous', json_build_object('status', old)));
  END IF;
  IF target = 'connected' AND new_health->>'code' = 'ok' THEN PERFORM wake_connections(ARRAY[c.id]); END IF;
  -- Notifies the other processes, so that they also stop calling the platform.
  IF target = 'error' THEN PERFORM pg_notify('connections', c.id::text); END IF;
  RETURN true;
END $$;
