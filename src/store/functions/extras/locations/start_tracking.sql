-- Starts a tracking session: {"workspace_id", "id", "started_by", "user_id", "conversation_id" or
-- "conversation_number", "purpose", "interval_seconds", "duration_seconds", "share_with", "metadata",
-- "claim"}. A second call with the same id returns the same record.
--
-- Locks: users, tracking_sessions.
-- Events: tracking.started, tracking.expired, tracking.stopped.
-- Arguments: input: NewTrackingSession
-- Returns: { record: TrackingSessionRecord } | Refusal
CREATE OR REPLACE FUNCTION start_tracking(input jsonb) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := (input->>'workspace_id')::uuid;
  u users := lock_located_user(workspace, (input->>'user_id')::uuid);
  chat uuid;
  s tracking_sessions;
  way text;
  lasting interval := make_interval(secs => (input->>'duration_seconds')::int);
BEGIN
  SELECT * INTO s FROM tracking_sessions WHERE id = (input->>'id')::uuid;
  IF FOUND THEN RETURN json_build_object('record', tracking_session_record(s)); END IF;
  IF input ? 'conversation_id' OR input ? 'conversation_number' THEN
    SELECT id INTO chat FROM conversations WHERE workspace_id = workspace AND deleted_at IS NULL
      AND CASE WHEN input ? 'conversation_id' THEN id = (input->>'conversation_id')::uuid
        ELSE number = (input->>'conversation_number')::bigint END
      AND shows_conversation(id);
    IF NOT FOUND THEN PERFORM refuse('{"problem":"not_found","field":"conversation_id"}'); END IF;
  END IF;
  PERFORM refuse(json_build_object('problem', 'not_found', 'field', 'share_with'))
  FROM jsonb_array_elements_text(input->'share_with') i (id) WHERE NOT EXISTS (
    SELECT 1 FROM users w WHERE w.id = i.id::uuid AND w.workspace_id = workspace AND w.deleted_at IS NULL)
    LIMIT 1;
  PERFORM refuse('{"problem":"invalid","field":"share_with"}')
  FROM jsonb_array_elements_text(input->'share_with') i (id) JOIN users w ON w.id = i.id::uuid
  WHERE w.kind <> 'member' LIMIT 1;
  SELECT * INTO s FROM tracking_sessions WHERE user_id = u.id AND conversation_id IS NOT DISTINCT FROM chat
    AND status IN ('pending', 'active') FOR UPDATE;
  IF s.expires_at <= clock_timestamp() THEN
    PERFORM end_tracking_session(s, 'expired', 'expired');
  ELSIF s.id IS NOT NULL THEN
    PERFORM refuse(json_build_object('problem', 'tracking_active', 'id', s.id));
  END IF;
  way := CASE WHEN u.id = (input->>'started_by')::uuid THEN 'self'
    WHEN u.consent->>'tracking' = 'granted' THEN 'prior' END;
  IF way IS NULL AND u.consent->>'tracking' = 'denied' THEN
    PERFORM refuse('{"problem":"consent_denied"}');
  END IF;
  INSERT INTO tracking_sessions (id, workspace_id, user_id, conversation_id, status, purpose,
    interval_seconds,
    duration_seconds, share_with, started_by, consent_status, consent_method, consent_granted_at,
      expires_at, started_at,
    metadata)
  VALUES ((input->>'id')::uuid, workspace, u.id, chat, CASE WHEN way IS NULL THEN 'pending' ELSE 'active' END,
    input->>'purpose', (input->>'interval_seconds')::int, (input->>'duration_seconds')::int,
    ARRAY(SELECT jsonb_array_elements_text(input->'share_with')::uuid), (input->>'started_by')::uuid,
    CASE WHEN way IS NULL THEN 'pending' ELSE 'granted' END, way, CASE WHEN way IS NOT NULL THEN now() END,
    now() + CASE WHEN way IS NULL THEN interval '24 hours' ELSE lasting END,
      CASE WHEN way IS NOT NULL THEN now() END,
    coalesce(input->'metadata', '{}'))
  RETURNING * INTO s;
  PERFORM queue_session_expiry(s);
  IF way IS NOT NULL THEN PERFORM announce_tracking_session(s, 'tracking.started'); END IF;
  PERFORM complete_claim(input->'claim', 201, tracking_session_record(s));
  RETURN json_build_object('record', tracking_session_record(s));
END $$;
