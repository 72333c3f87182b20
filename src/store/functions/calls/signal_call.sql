-- Processes a signal of a participant: {"workspace_id", "call_id", "user_id", "type", "to"}, and for offer,
-- answer and candidate the frame for the other side. Returns {"record": {"delivered"}}: whether the other
-- side has a socket. A signal without an effect, such as leaving twice, is accepted.
--
-- Locks: calls.
-- Events: call.answered, call.participant_joined, call.participant_left.
-- Arguments: input: { workspace_id: string; call_id: string; participant_id?: string; user_id: string; type:
--   Signal['type']; to?: string }; frame: Signal['frame'] | null
-- Returns: { record: { delivered: boolean } } | Refusal

-- The first participant who joins after the initiator answers the call.
CREATE OR REPLACE FUNCTION join_call(c calls, p call_participants) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was text := c.status;
BEGIN
  UPDATE call_participants SET status = 'joined', joined_at = coalesce(joined_at, now()),
    left_at = NULL, busy = false,
    socketless_since = CASE WHEN NOT has_call_socket(c, ARRAY[p.user_id]) THEN now() END
  WHERE call_id = c.id AND user_id = p.user_id;
  UPDATE calls SET vacant_since = NULL, updated_at = now(),
    status = CASE WHEN p.user_id = c.initiator_id THEN status ELSE 'active' END,
    answered_at = CASE WHEN p.user_id = c.initiator_id THEN answered_at ELSE coalesce(answered_at, now()) END
  WHERE id = c.id RETURNING * INTO c;
  IF c.status <> was THEN
    PERFORM announce_call(c, 'call.answered',
      json_build_object('previous', json_build_object('status', was)));
  END IF;
  PERFORM announce_call_participant(c.id, p.user_id, 'call.participant_joined');
END $$;

-- A participant declines a call. The call ends when no other participant can answer.
CREATE OR REPLACE FUNCTION decline_call(c calls, p call_participants) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  delivered boolean;
BEGIN
  delivered := remove_call_participant(c, p.user_id, 'declined', EXISTS (SELECT 1 FROM call_participants o
    WHERE o.user_id = p.user_id AND o.status = 'joined' AND o.call_id <> c.id));
  PERFORM end_unanswered_call(c, p.user_id);
  RETURN delivered;
END $$;

CREATE OR REPLACE FUNCTION signal_call(input jsonb, frame json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  c calls := lock_call(input);
  p call_participants;
  delivered boolean := false;
BEGIN
  SELECT * INTO p FROM call_participants WHERE call_id = c.id AND user_id = (input->>'user_id')::uuid
    AND removed_at IS NULL;
  IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found"}'); END IF;
  IF input->>'to' IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM call_participants WHERE call_id = c.id AND user_id = (input->>'to')::uuid
      AND removed_at IS NULL) THEN
    PERFORM refuse('{"problem":"not_found","field":"to"}');
  END IF;
  PERFORM refuse_ended_call(c);
  IF frame IS NOT NULL THEN
    delivered := send_call_frame(c, ARRAY[(input->>'to')::uuid], frame);
  ELSIF input->>'type' = 'join' THEN
    IF p.status <> 'joined' THEN PERFORM join_call(c, p); END IF;
    delivered := send_call_frame(c, call_members(c.id, p.user_id),
      json_build_object('type', 'joined', 'call_id', c.id, 'user_id', p.user_id));
  ELSIF input->>'type' = 'decline' AND p.status IN ('invited', 'ringing') AND p.user_id <> c.initiator_id THEN
    delivered := decline_call(c, p);
  ELSIF input->>'type' IN ('leave', 'bye') AND p.status = 'joined' THEN
    delivered := leave_call(c, p);
  END IF;
  PERFORM schedule_call_deadline(c.id);
  RETURN json_build_object('record', json_build_object('delivered', delivered));
END $$;
