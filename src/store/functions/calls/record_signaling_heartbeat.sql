-- Records a heartbeat of a process with sockets, and removes processes whose heartbeats stopped. Returns
-- whether this process had been removed, so that its sockets have to reconnect.
--
-- Locks: signaling, calls.
-- Returns: boolean

-- Removes and returns the sockets of a process.
CREATE OR REPLACE FUNCTION delete_process_sockets(process uuid) RETURNS SETOF call_sockets LANGUAGE sql AS $$
  DELETE FROM call_sockets WHERE process_id = process RETURNING *
$$;

CREATE OR REPLACE FUNCTION record_signaling_heartbeat(process uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  dead record;
  was_removed boolean;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM calls WHERE status IN ('initiated', 'ringing', 'active'))
    AND NOT EXISTS (SELECT 1 FROM call_sockets)
    AND EXISTS (SELECT 1 FROM signaling_processes WHERE id = process)
  THEN RETURN false; END IF;
  PERFORM fail_unreachable_calls();
  UPDATE signaling SET reachable_at = clock_timestamp();
  UPDATE signaling_processes SET seen_at = clock_timestamp() WHERE id = process;
  was_removed := NOT FOUND;
  IF was_removed THEN
    INSERT INTO signaling_processes VALUES (process, clock_timestamp()) ON CONFLICT DO NOTHING;
  END IF;
  FOR dead IN DELETE FROM signaling_processes WHERE seen_at < clock_timestamp() - interval '10 s'
    RETURNING id, seen_at LOOP
    PERFORM sync_call_sockets(s.workspace_id, s.user_id, s.call_id, dead.seen_at)
    FROM delete_process_sockets(dead.id) s;
  END LOOP;
  RETURN was_removed;
END $$;
