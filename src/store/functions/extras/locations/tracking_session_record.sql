-- A tracking session in the form of the API.
--
-- Returns: TrackingSessionRecord
CREATE OR REPLACE FUNCTION tracking_session_record(s tracking_sessions) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', s.id, 'user_id', s.user_id, 'conversation_id', s.conversation_id, 'status', s.status,
    'end_reason', s.end_reason, 'purpose', s.purpose, 'interval_seconds', s.interval_seconds,
    'share_with', s.share_with, 'started_by', s.started_by,
    'consent', json_build_object('status', s.consent_status, 'granted_at', wire_time(s.consent_granted_at),
      'method', s.consent_method),
    'points_count', s.points_count, 'expires_at', wire_time(s.expires_at),
    'last_location', (SELECT location_record(l) FROM locations l WHERE l.id = s.last_location_id),
    'started_at', wire_time(s.started_at), 'ended_at', wire_time(s.ended_at), 'metadata', s.metadata,
    'created_at', wire_time(s.created_at), 'updated_at', wire_time(s.updated_at))
$$;
