-- A member in the form of the API.
--
-- Returns: MemberRecord
CREATE OR REPLACE FUNCTION member_record(u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', u.id, 'user', user_record(u), 'role', u.role,
    'two_step', EXISTS (SELECT FROM second_steps s WHERE s.user_id = u.id AND s.enabled_at IS NOT NULL),
    'created_at', wire_time(u.created_at), 'updated_at', wire_time(u.updated_at))
$$;
