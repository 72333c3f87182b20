-- Records a socket that a member opened in a process.
--
-- Locks: calls.
-- Arguments: only_call: string | null
-- Returns: void
CREATE OR REPLACE FUNCTION open_call_socket(socket uuid, process uuid, workspace uuid, member uuid,
  only_call uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO signaling_processes VALUES (process, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at;
  INSERT INTO call_sockets (id, process_id, workspace_id, user_id, call_id)
  VALUES (socket, process, workspace, member, only_call) ON CONFLICT (id) DO NOTHING;
  PERFORM sync_call_sockets(workspace, member, only_call, now());
END $$;
