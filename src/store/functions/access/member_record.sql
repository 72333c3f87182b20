-- A member in the form of the API.
--
-- Returns: MemberRecord
CREATE OR REPLACE FUNCTION member_record(u users) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (jsonb_build_object('id', u.id, 'user', user_record(u), 'role', u.role,
      'created_at', wire_time(u.created_at), 'updated_at', wire_time(u.updated_at))
    -- Absent for all other members, so that their records keep the published form.
    || CASE WHEN u.own_teams_only THEN '{"own_teams_only": true}' ELSE '{}' END::jsonb)::json
$$;
