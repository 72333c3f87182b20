-- An OAuth grant as it is shown to the managers of the app.
--
-- Returns: AppGrantRecord
CREATE OR REPLACE FUNCTION oauth_app_grant_record(g oauth_grants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', g.id,
    'user', json_build_object('id', u.id, 'display_name', u.display_name),
    'scopes', to_json(g.scopes), 'expires_at', wire_time(g.live_until),
    'created_at', wire_time(g.created_at), 'updated_at', wire_time(g.updated_at))
  FROM users u WHERE u.id = g.user_id
$$;
