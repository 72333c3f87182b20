-- Restarts the live adapter on request, even after its credentials were refused. Also ends a pause of the
-- account, because a platform can ask for a wait of a day by mistake.
--
-- Locks: connections.
-- Returns: { record: ConnectionRecord } | Refusal
CREATE OR REPLACE FUNCTION restart_connection(workspace uuid, connection uuid) RETURNS json
  LANGUAGE plpgsql AS $$
DECLARE
  c connections;
BEGIN
  UPDATE connections SET generation = generation + 1, paused_until = NULL
  WHERE id = connection AND workspace_id = workspace AND deleted_at IS NULL AND enabled RETURNING * INTO c;
  IF NOT FOUND THEN RETURN json_build_object('problem', 'not_found'); END IF;
  PERFORM move_connection(c.id, ARRAY[c.status], 'connecting',
    '{"code":"connecting","message":"Connecting.","fix":null}', NULL, NULL);
  PERFORM pg_notify('connections', c.id::text);
  SELECT * INTO c FROM connections WHERE id = connection;
  RETURN json_build_object('record', connection_record(c));
END $$;
