-- Applies a wait that the platform asked for. Blocks these buckets and holds the lanes of the chat until its
-- end.
--
-- Locks: links.
-- Arguments: chat: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION hold_buckets(connection uuid, keys text[], chat text, wait interval) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  until timestamptz := clock_timestamp() + wait;
BEGIN
  INSERT INTO rate_buckets AS r (connection_id, key, workspace_id, held_until, idle_at)
  SELECT c.id, k, c.workspace_id, until, until FROM connections c, unnest(keys) k
  WHERE c.id = connection ORDER BY k
  ON CONFLICT (connection_id, key) DO UPDATE
  SET held_until = greatest(r.held_until, until), idle_at = greatest(r.idle_at, until);
  IF chat IS NOT NULL THEN
    PERFORM hold_lanes(connection, jsonb_build_array(jsonb_build_object('chat', chat, 'until', until)));
  END IF;
END $$;
