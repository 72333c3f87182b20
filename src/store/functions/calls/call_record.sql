-- A call in the form of the API, with its participants.
--
-- Returns: CallRecord
CREATE OR REPLACE FUNCTION call_record(c calls) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', c.id, 'conversation_id', c.conversation_id, 'type', c.type, 'direction', c.direction,
      'status', c.status,
    'end_reason', c.end_reason, 'ended_by', c.ended_by, 'error', c.error,
    'platform', c.platform, 'initiator_id', c.initiator_id,
    'participants', coalesce((
      SELECT json_agg(call_participant_record(p) ORDER BY p.user_id <> c.initiator_id, p.user_id)
      FROM call_participants p WHERE p.call_id = c.id), '[]'),
    'join_url', public_url() || '/join/' || c.join_token, 'recording_url', c.recording_url,
    'ring_timeout', c.ring_timeout, 'max_duration', c.max_duration,
    'started_at', wire_time(c.started_at), 'answered_at', wire_time(c.answered_at),
      'ended_at', wire_time(c.ended_at),
    'duration', c.duration, 'metadata', c.metadata,
    'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at))
$$;
