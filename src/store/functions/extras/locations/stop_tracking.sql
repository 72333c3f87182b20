-- Stops a tracking session: {"workspace_id", "id", "claim"}.
--
-- Locks: users, tracking_sessions.
-- Events: tracking.expired, tracking.stopped.
-- Arguments: input: SessionAction
-- Returns: { record: TrackingSessionRecord } | Refusal
CREATE OR REPLACE FUNCTION stop_tracking(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  s tracking_sessions := lock_tracking_session((input->>'workspace_id')::uuid, (input->>'id')::uuid);
BEGIN
  IF s.status NOT IN ('pending', 'active') THEN
    PERFORM refuse(json_build_object('problem', 'invalid_state', 'current', s.status));
  END IF;
  s := end_tracking_session(s, 'stopped', 'stopped');
  PERFORM complete_claim(input->'claim', 200, tracking_session_record(s));
  RETURN json_build_object('record', tracking_session_record(s));
END $$;
