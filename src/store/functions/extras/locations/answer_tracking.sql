-- Answers a request for tracking: {"workspace_id", "id", "caller_id", "granted", "claim"}. Users answer for
-- themselves; a member records the answer of a contact.
--
-- Locks: users, tracking_sessions.
-- Events: tracking.started, tracking.expired, tracking.stopped.
-- Arguments: input: SessionAction & { caller_id: string; granted: boolean }
-- Returns: { record: TrackingSessionRecord } | Refusal
CREATE OR REPLACE FUNCTION answer_tracking(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions := lock_tracking_session((input->>'workspace_id')::uuid, (input->>'id')::uuid);
  own boolean := s.user_id = (input->>'caller_id')::uuid;
  way text := CASE WHEN own THEN 'self' ELSE 'recorded' END;
BEGIN
  IF NOT own AND (SELECT kind FROM users WHERE id = s.user_id) <> 'contact' THEN
    PERFORM refuse('{"problem":"not_a_contact"}');
  END IF;
  IF s.status NOT IN ('pending', 'active') OR (s.status = 'active' AND (input->>'granted')::boolean) THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', s.status));
  END IF;
  s := CASE WHEN (input->>'granted')::boolean THEN start_tracking_session(s, way)
    ELSE withdraw_consent(s, way) END;
  PERFORM complete_claim(input->'claim', 200, tracking_session_record(s));
  RETURN json_build_object('record', tracking_session_record(s));
END $$;
