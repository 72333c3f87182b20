-- A team in the form of the dashboard's API.
--
-- Returns: TeamRecord
CREATE OR REPLACE FUNCTION team_record(t teams) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', t.id, 'name', t.name,
    'member_ids', ARRAY(SELECT m.user_id FROM team_members m WHERE m.team_id = t.id ORDER BY m.user_id),
    'created_at', wire_time(t.created_at), 'updated_at', wire_time(t.updated_at))
$$;
