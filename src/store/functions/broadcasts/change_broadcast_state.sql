-- Starts, pauses or resumes a broadcast (POST start, pause and resume): {"workspace_id", "id", "move",
-- "claim", "max_sending": the maximum number of broadcasts that are sent at once}.
--
-- Locks: broadcasts, an advisory lock.
-- Events: broadcast.scheduled.
-- Arguments: input: { workspace_id: string; id: string; move: BroadcastMove; max_sending: number;
--   claim?: ClaimKey }
-- Returns: { record: BroadcastRecord } | Refusal
CREATE OR REPLACE FUNCTION change_broadcast_state(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  -- Processes of the former release name it "most".
  max_sending int := coalesce(input->>'max_sending', input->>'most')::int;
  b broadcasts := lock_broadcast(input);
  n broadcasts;
BEGIN
  CASE input->>'move'
    WHEN 'start' THEN
      IF b.status = 'draft' THEN n := schedule_broadcast(b, '{"status":"draft"}');
      ELSIF b.status = 'scheduled' THEN
        UPDATE broadcasts SET status = 'preparing', local = false, updated_at = now() WHERE id = b.id
        RETURNING * INTO n;
        PERFORM queue_broadcast(n.id);
      END IF;
    WHEN 'pause' THEN n := move_broadcast(b.id, 'sending', 'paused', 'broadcast.paused');
    WHEN 'resume' THEN
      IF b.status = 'paused' AND NOT can_start_sending(b, max_sending) THEN
        PERFORM refuse(json_build_object('problem', 'limit_reached', 'limit', max_sending));
      END IF;
      n := move_broadcast(b.id, 'paused', 'sending', 'broadcast.resumed');
  END CASE;
  IF n.id IS NULL THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', b.status));
  END IF;
  PERFORM complete_claim(input->'claim', 200, broadcast_record(n));
  RETURN json_build_object('record', broadcast_record(n));
END $$;
