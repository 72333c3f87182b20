-- A participant of a conversation as the interface shows it.
--
-- Returns: ParticipantRecord
CREATE OR REPLACE FUNCTION participant_record(p participants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('user_id', p.user_id, 'role', p.role, 'joined_at', wire_time(p.joined_at),
    'left_at', wire_time(p.left_at), 'last_read_at', wire_time(p.last_read_at))
$$;
