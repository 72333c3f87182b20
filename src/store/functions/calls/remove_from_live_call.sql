-- Removes a user who left the conversation from its live call. The user can no longer join, and the call no
-- longer waits for the user. Locks: the call; the caller holds the conversation.
--
-- Locks: calls.
-- Events: call.participant_left.
-- Returns: void
CREATE OR REPLACE FUNCTION remove_from_live_call(conversation uuid, member uuid) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  p call_participants;
BEGIN
  SELECT * INTO c FROM calls WHERE conversation_id = conversation
    AND status IN ('initiated', 'ringing', 'active') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE call_participants SET removed_at = now()
  WHERE call_id = c.id AND user_id = member AND removed_at IS NULL RETURNING * INTO p;
  IF NOT FOUND THEN RETURN; END IF;
  IF p.status IN ('invited', 'ringing', 'joined') THEN
    PERFORM send_call_frame(c, ARRAY[member],
      json_build_object('type', 'left', 'call_id', c.id, 'user_id', member));
    PERFORM leave_call(c, p);
  END IF;
  IF member = c.initiator_id AND c.status <> 'active' THEN
    PERFORM finish_call(c, 'ended', 'canceled', NULL, NULL);
  ELSE
    PERFORM end_unanswered_call(c, NULL);
  END IF;
  PERFORM schedule_call_deadline(c.id);
  -- Sockets that were opened with a join token are checked again and closed.
  PERFORM pg_notify('credentials', member::text);
END $$;
