-- Stops a change of a broadcast. No further message is changed. Messages that were already handed to their
-- platforms still get their result.
--
-- Locks: broadcast_changes.
-- Arguments: input: { workspace_id: string; id: string }
-- Returns: { record: BroadcastChangeRecord } | Refusal
CREATE OR REPLACE FUNCTION stop_broadcast_change(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c broadcast_changes;
BEGIN
  SELECT * INTO c FROM broadcast_changes WHERE id = (input->>'id')::uuid
    AND workspace_id = (input->>'workspace_id')::uuid FOR NO KEY UPDATE;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF c.status NOT IN ('running', 'stopping') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', c.status));
  END IF;
  UPDATE broadcast_changes SET status = 'stopping' WHERE id = c.id RETURNING * INTO c;
  PERFORM queue_broadcast_change(c.id, interval '0');
  RETURN json_build_object('record', broadcast_change_record(c));
END $$;
