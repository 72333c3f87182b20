-- Removes sockets that closed.
--
-- Locks: calls.
-- Returns: void
CREATE OR REPLACE FUNCTION close_call_sockets(sockets uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s call_sockets;
BEGIN
  FOR s IN DELETE FROM call_sockets WHERE id = ANY (sockets) RETURNING * LOOP
    PERFORM sync_call_sockets(s.workspace_id, s.user_id, s.call_id, now());
  END LOOP;
END $$;
