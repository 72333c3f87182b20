-- A participant of a conversation in the form of the API.
--
-- Returns: ParticipantRecord
CREATE OR REPLACE FUNCTION participant_record(p participants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', p.user_id, 'role', p.role, 'joined_at', wire_time(p.joined_at),
    'left_at', wire_time(p.left_at), 'last_read_at', wire_time(p.last_read_at))
$$;
