-- An OAuth grant in the form of the API.
--
-- Returns: OauthGrantRecord
CREATE OR REPLACE FUNCTION oauth_grant_record(g oauth_grants) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', g.id,
    'app', json_build_object('id', a.id, 'name', a.name, 'client_id', a.client_id),
    'scopes', to_json(g.scopes), 'expires_at', wire_time(g.live_until),
    'created_at', wire_time(g.created_at), 'updated_at', wire_time(g.updated_at))
  FROM oauth_apps a WHERE a.id = g.app_id
$$;
