-- A member in the form of the API.
--
-- Returns: MemberRecord
CREATE OR REPLACE FUNCTION member_record(u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', u.id, 'user', user_record(u), 'role', u.role,
    'own_teams_only', u.own_teams_only,
    'created_at', wire_time(u.created_at), 'updated_at', wire_time(u.updated_at))
$$;
